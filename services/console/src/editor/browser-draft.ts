import { useMemo } from 'react';
import { useActing } from '../api/session-context.ts';
import { draftKey, earlierDraftKey } from '../browser-drafts.ts';
import { isList, isObject, type JsonObject } from '../json.ts';
import type { Trial } from './data/data-region.tsx';
import { isDocument } from './document/document.ts';
import { type Edition, readText } from './document/history.ts';
import type { DraftBody, Memory } from './drafts/draft-keeper.ts';

/** What this browser keeps of a template that is edited. */
export interface BrowserDraft {
  readonly edition: Edition;
  readonly trial: Trial;
  /** What it knows of the draft on the server; undefined where it may not write one. */
  readonly memory?: Memory | undefined;
  /** The server has all of it. */
  readonly isSettled: boolean;
  /** What the template said of itself then. */
  readonly settings?: JsonObject | undefined;
}

/** The storage of one author for one template. */
interface Place {
  readonly key: string;
  /** See {@link earlierDraftKey}. */
  readonly earlier: string;
  readonly organization: string;
}

/** Stores a text. A browser whose storage is full keeps the one before. */
const store = (key: string, text: string): void => {
  try {
    localStorage.setItem(key, text);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
};

const storedAt = ({ key, earlier }: Place): string => {
  const found = localStorage.getItem(earlier);
  if (found !== null) {
    localStorage.removeItem(earlier);
    if (localStorage.getItem(key) === null) store(key, found);
  }
  return localStorage.getItem(key) ?? '';
};

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

const keptAt = (place: Place): BrowserDraft | undefined => {
  const value = parsed(storedAt(place));
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

const keepAt = (
  { key, organization }: Place,
  { edition, trial, memory, isSettled, settings }: BrowserDraft,
): void => {
  const { document, text } = edition;
  const at = Date.now();
  store(key, JSON.stringify({ document, text, ...trial, memory, isSettled, settings, organization, at }));
};

/** What this browser keeps of a template for whoever is signed in, so that a reload loses nothing. */
export interface BrowserDraftStore {
  /** Undefined where there is none, or none that can be read. */
  readonly read: () => BrowserDraft | undefined;
  readonly keep: (draft: BrowserDraft) => void;
  readonly forget: () => void;
}

/** See {@link BrowserDraftStore}. */
export const useBrowserDraft = (templateId: string): BrowserDraftStore => {
  const {
    author,
    place: { organization },
  } = useActing();
  return useMemo(() => {
    const place = {
      key: draftKey(author, templateId),
      earlier: earlierDraftKey(templateId),
      organization,
    };
    return {
      read: () => keptAt(place),
      keep: (draft) => keepAt(place, draft),
      forget: () => localStorage.removeItem(place.key),
    };
  }, [author, templateId, organization]);
};
