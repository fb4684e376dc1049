import type { Modal, ModalVersion } from '@stanza/contracts';
import type { TemplateDocument } from '../../editor/document/document.ts';
import { isList, isObject } from '../../json.ts';

/** A step of a modal as it is written; a submit button without a text has that of the modal. */
export type Step = TemplateDocument & { readonly title: string; readonly submit_label: string };

/** Whether a document can be a step. */
export const isStep = (value: unknown): value is Step =>
  isObject(value) &&
  isList(value.blocks) &&
  typeof value.title === 'string' &&
  typeof value.submit_label === 'string';

/** The steps of a modal; one of a single view begins with that view. */
export const stepsOf = (modal: Modal, { blocks }: Pick<ModalVersion, 'blocks'>): readonly Step[] =>
  modal.steps?.map(({ title, submit_label, blocks }) => ({
    title,
    submit_label: submit_label ?? '',
    blocks,
  })) ?? [{ title: modal.title, submit_label: 'Next', blocks }];

/** The steps that a browser has kept; undefined where there are none. */
export const keptSteps = (document: TemplateDocument | undefined): readonly Step[] | undefined => {
  const steps = document?.steps;
  return isList(steps) && steps.length > 0 && steps.every(isStep) ? steps : undefined;
};

/** With another step behind the one at a place. */
export const inserted = (steps: readonly Step[], at: number, step: Step): readonly Step[] =>
  steps.toSpliced(at + 1, 0, step);

/** With the step of a place one earlier. */
export const movedEarlier = (steps: readonly Step[], at: number): readonly Step[] => {
  const [before, step] = [steps[at - 1], steps[at]];
  return before === undefined || step === undefined ? steps : steps.toSpliced(at - 1, 2, step, before);
};

/** As the API takes them. */
export const stepsToSave = (steps: readonly Step[]) =>
  steps.map(({ title, submit_label, blocks }) => ({ title, submit_label: submit_label || null, blocks }));
