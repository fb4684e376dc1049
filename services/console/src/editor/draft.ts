import type { Trial } from './data/data-region.tsx';
import { isDocument } from './document/document.ts';
import { type Edition, readText } from './document/history.ts';
import { isObject } from './document/pointer.ts';

/** What is on the screen and not yet saved. */
export interface Draft {
  readonly edition: Edition;
  readonly trial: Trial;
}

const keyOf = (templateId: string): string => `stanza.draft.${templateId}`;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

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
export const keepDraft = (templateId: string, { edition, trial }: Draft): void => {
  const { document, text } = edition;
  try {
    localStorage.setItem(keyOf(templateId), JSON.stringify({ document, text, ...trial }));
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
};

/** Forgets the draft of a template. */
export const forgetDraft = (templateId: string): void => localStorage.removeItem(keyOf(templateId));
