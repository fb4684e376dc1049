import type { Block } from '@stanza/contracts';
import { referencesIn } from './references.ts';

/** The ids of the modals that the elements of a message open, each once. */
export const openedModals = (blocks: readonly Block[]): string[] => [
  ...new Set(
    referencesIn(blocks)
      .filter(({ kind }) => kind === 'modal')
      .map(({ id }) => id),
  ),
];
