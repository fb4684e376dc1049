import { describe, expect, it } from '@jest/globals';
import type { Template, TemplateDraft } from '@stanza/contracts';
import type { BrowserDraft } from '../browser-draft.ts';
import type { Saved } from '../saved.ts';
import { openingOf } from './opening.ts';

const at = '2026-01-01T00:00:00.000Z';
const template: Template = {
  id: 'one',
  organization_id: 'acme',
  key: 'one',
  name: 'One',
  description: null,
  type: 'message',
  user_name: null,
  icon_emoji: null,
  fallback_text: 'saved',
  locale: null,
  timezone: null,
  strict: false,
  lifecycle: 'active',
  current_version_id: null,
  created_by: 'ada',
  created_at: at,
  updated_at: at,
  archived_at: null,
};
const blocksOf = (text: string) => [{ type: 'header', text }];
const documentOf = (text: string, fallback_text = 'saved') => ({
  name: 'One',
  fallback_text,
  blocks: blocksOf(text),
});
const trial = { data: { a: 1 }, locale: '', timezone: '' };
const saved: Saved = { document: documentOf('saved'), trial };
const draftOf = (text: string, revision: number, more: Partial<TemplateDraft> = {}): TemplateDraft => ({
  template_id: 'one',
  blocks: blocksOf(text),
  metadata: {},
  sample_data: null,
  base_version_id: 'version',
  revision,
  updated_by: 'bob',
  created_at: at,
  updated_at: at,
  ...more,
});
const keptOf = (text: string, revision: number | null, isSettled: boolean): BrowserDraft => ({
  edition: { document: documentOf(text) },
  trial,
  memory: { revision, there: undefined },
  isSettled,
});

describe('what the editor begins with', () => {
  it('is what is saved, where nobody has a draft', () => {
    expect(openingOf(template, saved, undefined, null)).toEqual({
      edition: { document: saved.document },
      trial,
      memory: { revision: null, there: null },
      from: undefined,
    });
  });

  it('is the draft of the server with its settings and data', () => {
    const draft = draftOf('draft', 3, {
      metadata: { fallback_text: null, user_name: 'Bot' },
      sample_data: { b: 2 },
    });
    const { edition, trial: tried, memory, from } = openingOf(template, saved, undefined, draft);
    expect(edition.document).toEqual({ name: 'One', user_name: 'Bot', blocks: blocksOf('draft') });
    expect(tried.data).toEqual({ b: 2 });
    expect(from).toBe('server');
    // Nothing is written for having been opened.
    expect(memory).toMatchObject({
      revision: 3,
      there: { sample_data: { b: 2 }, base_version_id: 'version' },
    });
  });

  it('is what this browser has that the server has not, whatever that has meanwhile', () => {
    const kept = keptOf('mine', 1, false);
    const opening = openingOf(template, saved, kept, draftOf('theirs', 2));
    expect(opening).toMatchObject({ edition: kept.edition, memory: { revision: 1 }, from: 'browser' });
    // A person whose role was lowered keeps the draft until they may send it again.
    expect(opening.isUnsent).toBe(true);
  });

  it('is the newer draft of the server, where this browser had sent all of its own', () => {
    const opening = openingOf(template, saved, keptOf('mine', 1, true), draftOf('theirs', 2));
    expect(opening).toMatchObject({ edition: { document: { blocks: blocksOf('theirs') } }, from: 'server' });
  });

  it('is what is saved, where the draft was saved or discarded elsewhere', () => {
    const opening = openingOf(template, saved, keptOf('mine', 1, true), null);
    expect(opening).toMatchObject({ edition: { document: saved.document }, from: undefined });
  });

  it('keeps what was only tried beside the same revision', () => {
    const kept: BrowserDraft = {
      edition: { document: documentOf('draft'), text: '{', textProblem: 'not finished' },
      trial: { ...trial, data: { tried: true } },
      memory: { revision: 2, there: undefined },
      isSettled: true,
    };
    const opening = openingOf(template, saved, kept, draftOf('draft', 2));
    expect(opening).toMatchObject({ edition: kept.edition, trial: kept.trial, memory: { revision: 2 } });
  });

  it('is what is saved by now with the data that was tried, where this browser had no other change', () => {
    const newer = { document: { ...documentOf('newer'), name: 'Renamed' }, trial };
    const tried = { ...trial, data: { tried: true } };
    const kept = { ...keptOf('saved', null, true), trial: tried };
    expect(openingOf({ ...template, name: 'Renamed' }, newer, kept, null)).toEqual({
      edition: { document: newer.document },
      trial: tried,
      memory: { revision: null, there: null },
      from: undefined,
    });
  });

  it('has the settings that the template has by now, where the draft does not change them', () => {
    const draft = draftOf('draft', 2, { metadata: { user_name: 'Bot' } });
    const kept: BrowserDraft = {
      ...keptOf('draft', 2, true),
      edition: { document: { ...documentOf('draft'), user_name: 'Bot' } },
    };
    const renamed = { ...template, name: 'Renamed' };
    const { edition, memory } = openingOf(renamed, saved, kept, draft);
    expect(edition.document).toMatchObject({ name: 'Renamed', user_name: 'Bot', blocks: blocksOf('draft') });
    expect(memory.there?.metadata).toEqual({ user_name: 'Bot' });
  });

  it('has the settings that somebody else has changed while this browser could not send its own', () => {
    const kept: BrowserDraft = {
      ...keptOf('mine', 1, false),
      settings: { name: 'One', fallback_text: 'saved' },
    };
    const renamed = { document: { ...saved.document, name: 'Renamed' }, trial };
    const { edition, from } = openingOf({ ...template, name: 'Renamed' }, renamed, kept, null);
    expect(edition.document).toEqual({ ...documentOf('mine'), name: 'Renamed' });
    expect(from).toBe('browser');
  });
});
