import type { Block, ModalViewSource, Problem } from '@stanza/contracts';
import type { ModalRow } from './modal-tables.ts';

/** The labels of a modal's views. */
export type Framed = Pick<ModalRow, 'title' | 'submit_label' | 'close_label' | 'steps'>;

/** The views of a modal, one for each step; without steps the one of the given blocks. */
export const viewsOf = ({ title, submit_label, close_label, steps }: Framed, blocks: Block[]) =>
  steps === null
    ? [{ title, submit_label, close_label, blocks }]
    : steps.map(
        (step): ModalViewSource => ({
          title: step.title,
          submit_label: step.submit_label ?? submit_label,
          close_label,
          blocks: step.blocks,
        }),
      );

/**
 * Problems of a view with pointers into the modal as its caller sent it.
 * @param step its number; undefined for the view of a version
 */
export const problemsOfView = (problems: readonly Problem[], step?: number): Problem[] =>
  problems.map((it) => ({
    ...it,
    // The close label belongs to the modal, for every step.
    pointer:
      step === undefined || it.pointer.startsWith('/close_label')
        ? it.pointer
        : `/steps/${step}${it.pointer}`,
  }));
