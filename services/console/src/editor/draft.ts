import { isList, isObject, type JsonObject } from '../json.ts';
import type { Trial } from './data/data-region.tsx';
import { isDocument } from './document/document.ts';
import { type Edition, readText } from './document/history.ts';
import type { DraftBody, Memory } from './drafts/draft-keeper.ts';

/** What this browser keeps of a template that is edited. */
export interface Draft {
  readonly edition: Edition;
  readonly trial: Trial;
  /** What it knows of the draft on the server; undefined where it may not write one. */
  readonly memory?: Memory | undefined;
  /** The server has all of it. */
  readonly isSettled: boolean;
  /** What the template said of itself then. */
  readonly settings?: JsonObject | undefined;
}

const keyOf = (templateId: string): string => `stanza.draft.${templateId}`;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const bodyIn = (value: unknown): DraftBody | null | undefined => {
  if (value === null) return null;
  if (!isObject(value) || !isList(value.blocks) || !isObject(value.metadata)) return undefined;
  return {
    blocks: value.blocks,
    metadata: value.metadata,
    sample_data: isObject(value.sample_data) ? value.sample_data : null,
    base_version_id: typeof value.base_version_id === 'string' ? value.base_version_id : null,
  };
};

const memoryIn = (value: unknown): Memory | undefined => {
  if (!isObject(value)) return undefined;
  return {
    revision: typeof value.revision === 'number' ? value.revision : null,
    there: bodyIn(value.there),
    sent: bodyIn(value.sent) ?? undefined,
  };
};

/** The draft that this browser keeps of a template; undefined where there is none, or none that can be read. */
export const keptDraft = (templateId: string): Draft | undefined => {
  const value = parsed(localStorage.getItem(keyOf(templateId)) ?? '');
  if (!isObject(value) || !isDocument(value.document)) return undefined;
  const edition =
    typeof value.text === 'string'
      ? readText(value.text, { document: value.document })
      : { document: value.document };
  return {
    edition,
    trial: {
      data: isObject(value.data) ? value.data : {},
      locale: textOf(value.locale),
      timezone: textOf(value.timezone),
    },
    memory: memoryIn(value.memory),
    isSettled: value.isSettled === true,
    settings: isObject(value.settings) ? value.settings : undefined,
  };
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

/** Keeps a draft in this browser, so that a reload loses nothing. A browser whose storage is full keeps the one before. */
export const keepDraft = (
  templateId: string,
  { edition, trial, memory, isSettled, settings }: Draft,
): void => {
  const { document, text } = edition;
  const kept = { document, text, ...trial, memory, isSettled, settings };
  try {
    localStorage.setItem(keyOf(templateId), JSON.stringify(kept));
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
};

/** Forgets the draft of a template. */
export const forgetDraft = (templateId: string): void => localStorage.removeItem(keyOf(templateId));
