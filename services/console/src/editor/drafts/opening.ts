import type { Template, TemplateDraft } from '@stanza/contracts';
import type { BrowserDraft } from '../browser-draft.ts';
import type { Trial } from '../data/data-region.tsx';
import { changedMetadata, following, isSame } from '../document/document.ts';
import type { Edition } from '../document/history.ts';
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
  /** This browser has what the server has not: those who may not send it now may send it later. */
  readonly isUnsent?: boolean;
}

/**
 * Chooses what the editor begins with: what this browser has that the server has not, else the draft of the server, else
 * what is saved. Work of this browser that meets another draft is not dropped; the keeper finds both sides apart.
 */
export const openingOf = (
  template: Template,
  saved: Saved,
  kept: BrowserDraft | undefined,
  draft: TemplateDraft | null,
): Opening => {
  if (kept?.memory && !kept.isSettled) {
    const { trial, memory } = kept;
    return { edition: unsentNow(saved, kept), trial, memory, from: 'browser', isUnsent: true };
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
  kept: BrowserDraft | undefined,
  draft: TemplateDraft | null,
): Omit<Opening, 'memory'> => {
  // What a person only tries, data or half a JSON, stays in this browser beside the same revision.
  if (kept !== undefined && (kept.memory?.revision ?? null) === (draft?.revision ?? null)) {
    const { trial } = kept;
    const edition = editionNow(template, saved, kept, draft);
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

/**
 * What this browser kept, with what others have saved since: its document may be older than the template and its newest
 * version, and would be written over them. Without a memory, what is kept is here alone.
 */
const editionNow = (
  template: Template,
  saved: Saved,
  { edition, memory }: BrowserDraft,
  draft: TemplateDraft | null,
): Edition => {
  if (memory === undefined) return edition;
  const document = draft === null ? saved.document : documentOfDraft(template, draft);
  const isNow =
    draft === null
      ? isSame(edition.document, document)
      : isSame(changedMetadata(edition.document, template), changedMetadata(document, template));
  if (isNow) return edition;
  return edition.textProblem === undefined ? { document } : { ...edition, document };
};

/** What this browser has not sent yet, with the settings that somebody else has changed since. */
const unsentNow = ({ document: now }: Saved, { edition, settings }: BrowserDraft): Edition => {
  if (settings === undefined) return edition;
  const document = following(edition.document, { ...settings, blocks: now.blocks }, now);
  if (document === edition.document) return edition;
  return edition.textProblem === undefined ? { document } : { ...edition, document };
};
