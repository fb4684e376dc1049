import type { Template, TemplateDraft } from '@stanza/contracts';
import type { Trial } from '../data/data-region.tsx';
import { isSame } from '../document/document.ts';
import type { Edition } from '../document/history.ts';
import type { Draft } from '../draft.ts';
import type { Saved } from '../saved.ts';
import { bodyOfScreen, documentOfDraft } from './draft-body.ts';
import type { Memory } from './draft-keeper.ts';

/** What the editor begins with. */
export interface Opening {
  readonly edition: Edition;
  readonly trial: Trial;
  readonly memory: Memory;
  /** Whose unsaved work it is; undefined where what is saved is on the screen. */
  readonly from: 'browser' | 'server' | undefined;
}

/**
 * Chooses what the editor begins with: what this browser has that the server has not, else the draft of the server, else
 * what is saved. Work of this browser that meets another draft is not dropped; the keeper finds both sides apart.
 */
export const openingOf = (
  template: Template,
  saved: Saved,
  kept: Draft | undefined,
  draft: TemplateDraft | null,
): Opening => {
  if (kept?.memory && !kept.isSettled) {
    const { edition, trial, memory } = kept;
    return { edition, trial, memory, from: 'browser' };
  }
  const shown = shownOf(template, saved, kept, draft);
  const { document } = shown.edition;
  return {
    ...shown,
    // What is on the screen of a draft that was just read is what the server has, however it wrote that.
    memory: {
      revision: draft?.revision ?? null,
      there: draft && bodyOfScreen(document, template, shown.trial.data, draft.base_version_id),
    },
  };
};

const shownOf = (
  template: Template,
  saved: Saved,
  kept: Draft | undefined,
  draft: TemplateDraft | null,
): Omit<Opening, 'memory'> => {
  // What a person only tries, data or half a JSON, stays in this browser beside the same revision.
  if (kept !== undefined && (kept.memory?.revision ?? null) === (draft?.revision ?? null)) {
    const { edition, trial } = kept;
    const isBare = isSame(edition.document, saved.document) && edition.text === undefined;
    return { edition, trial, from: isBare ? undefined : 'browser' };
  }
  if (draft === null) return { edition: { document: saved.document }, trial: saved.trial, from: undefined };
  return {
    edition: { document: documentOfDraft(template, draft) },
    trial: draft.sample_data === null ? saved.trial : { ...saved.trial, data: draft.sample_data },
    from: 'server',
  };
};
