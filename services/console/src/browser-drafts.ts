import { useEffect } from 'react';
import { ApiError } from './api/request.ts';
import { isObject, type JsonObject, readJson } from './json.ts';

/** The part of a browser's storage that drafts take. */
export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

const prefix = 'stanza.draft.';

/** What a browser remembers of an organization, besides drafts. */
const ofOrganization = /^stanza\.(?:test-target|first-steps)\.([^.]+)\./;

/** Milliseconds for which an unused draft is kept. */
const keptMs = 30 * 86_400_000;

/** Where a browser keeps what is written of a template or modal: for its author alone, since a browser may be shared. */
export const draftKey = (author: string, id: string): string => `${prefix}${author}.${id}`;

/** Where releases kept it that told no people apart: the first to come back is taken for its author. */
export const earlierDraftKey = (id: string): string => `${prefix}${id}`;

const keysIn = (storage: DraftStorage): string[] =>
  Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '');

const draftKeysIn = (storage: DraftStorage): string[] =>
  keysIn(storage).filter((key) => key.startsWith(prefix));

const valueAt = (storage: DraftStorage, key: string): JsonObject => {
  const { value } = { value: undefined, ...readJson(storage.getItem(key) ?? '') };
  return isObject(value) ? value : {};
};

/** Forgets what anybody has written of a template or modal in this browser: it is deleted. */
export const forgetDraftsOf = (id: string, storage: DraftStorage = localStorage): void => {
  for (const key of draftKeysIn(storage)) {
    if (key.slice(prefix.length).split('.').includes(id)) storage.removeItem(key);
  }
};

/** Forgets the drafts of a template or modal once the server answers that it is deleted. */
export const useForgetDeleted = (id: string, error: Error | null): void => {
  const isDeleted = error instanceof ApiError && error.status === 404;
  useEffect(() => {
    if (isDeleted) forgetDraftsOf(id);
  }, [id, isDeleted]);
};

/** Forgets the drafts that the server has whole. The others wait for their author, who may sign in again. */
export const forgetSettledDrafts = (storage: DraftStorage = localStorage): void => {
  for (const key of draftKeysIn(storage)) {
    const { isSettled, memory, text } = valueAt(storage, key);
    if (isSettled === true && memory !== undefined && text === undefined) storage.removeItem(key);
  }
};

/**
 * Forgets drafts that are older than 30 days, and those of organizations that the author has left, with what the browser
 * remembers of these organizations.
 */
export const sweepDrafts = (
  { author, organizations }: { author: string; organizations: readonly string[] },
  now: number,
  storage: DraftStorage = localStorage,
): void => {
  const isLeft = (organization: unknown): boolean =>
    typeof organization === 'string' && !organizations.includes(organization);
  for (const key of draftKeysIn(storage)) {
    const value = valueAt(storage, key);
    const isOwn = key.startsWith(draftKey(author, ''));
    const isOld = typeof value.at === 'number' && now - value.at > keptMs;
    if (isOld || (isOwn && isLeft(value.organization))) storage.removeItem(key);
    // The drafts of earlier releases have no time: theirs begins now.
    else if (typeof value.at !== 'number') storage.setItem(key, JSON.stringify({ ...value, at: now }));
  }
  for (const key of keysIn(storage)) {
    if (isLeft(ofOrganization.exec(key)?.[1])) storage.removeItem(key);
  }
};
