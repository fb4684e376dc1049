import { describe, expect, it } from '@jest/globals';
import { type DraftStorage, forgetDraftsOf, forgetSettledDrafts, sweepDrafts } from './browser-drafts.ts';

const day = 86_400_000;
const now = Date.UTC(2026, 10, 30);

const storageOf = (values: Readonly<Record<string, object>>): DraftStorage & { keys: () => string[] } => {
  const kept = new Map(Object.entries(values).map(([key, value]) => [key, JSON.stringify(value)]));
  return {
    keys: () => [...kept.keys()],
    get length() {
      return kept.size;
    },
    key: (at) => [...kept.keys()][at] ?? null,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, text) => void kept.set(key, text),
    removeItem: (key) => void kept.delete(key),
  };
};

describe('drafts that a browser keeps', () => {
  it('drafts of a deleted template are forgotten for every author, and no other drafts', () => {
    const storage = storageOf({
      'stanza.draft.ada.one': {},
      'stanza.draft.grace.one.steps': {},
      'stanza.draft.one': {},
      'stanza.draft.ada.another': {},
      'stanza.theme': {},
    });
    forgetDraftsOf('one', storage);
    expect(storage.keys()).toEqual(['stanza.draft.ada.another', 'stanza.theme']);
  });

  it('go with the session where the server has them whole', () => {
    const storage = storageOf({
      'stanza.draft.ada.settled': { isSettled: true, memory: {} },
      'stanza.draft.ada.unsent': { isSettled: false, memory: {} },
      'stanza.draft.ada.tried': { isSettled: true },
      'stanza.draft.ada.halfwritten': { isSettled: true, memory: {}, text: '{' },
    });
    forgetSettledDrafts(storage);
    expect(storage.keys()).toEqual([
      'stanza.draft.ada.unsent',
      'stanza.draft.ada.tried',
      'stanza.draft.ada.halfwritten',
    ]);
  });

  it('end after 30 days, and with the membership of their author', () => {
    const storage = storageOf({
      'stanza.draft.ada.old': { at: now - 31 * day, organization: 'orbit' },
      'stanza.draft.ada.new': { at: now - 29 * day, organization: 'orbit' },
      'stanza.draft.ada.left': { at: now, organization: 'beacon' },
      'stanza.draft.grace.theirs': { at: now, organization: 'beacon' },
      'stanza.draft.grace.forgotten': { at: now - 31 * day, organization: 'beacon' },
      'stanza.test-target.beacon.production': {},
      'stanza.test-target.orbit.production': {},
    });
    sweepDrafts({ author: 'ada', organizations: ['orbit'] }, now, storage);
    expect(storage.keys()).toEqual([
      'stanza.draft.ada.new',
      'stanza.draft.grace.theirs',
      'stanza.test-target.orbit.production',
    ]);
  });

  it('drafts of an earlier release are kept for 30 days from their first sight', () => {
    const storage = storageOf({ 'stanza.draft.ada.one': { document: {} } });
    sweepDrafts({ author: 'ada', organizations: [] }, now, storage);
    sweepDrafts({ author: 'ada', organizations: [] }, now + 29 * day, storage);
    expect(storage.keys()).toHaveLength(1);
    sweepDrafts({ author: 'ada', organizations: [] }, now + 31 * day, storage);
    expect(storage.keys()).toEqual([]);
  });
});
