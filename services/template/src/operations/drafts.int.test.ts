import { beforeEach, describe, expect, it } from '@jest/globals';
import type { InputOf, Principal, putTemplateDraft as putting } from '@stanza/contracts';
import { newContext, newId } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import {
  ask,
  greeting,
  newTemplate,
  openWorld,
  recordedAudit,
  somebody,
  strangersTo,
} from '../testing/world.ts';
import { appendTemplateVersion } from './append-template-version.ts';
import { archiveTemplate } from './archive-template.ts';
import { createEntity } from './create-entity.ts';
import { deleteTemplate } from './delete-template.ts';
import { deleteTemplateDraft } from './delete-template-draft.ts';
import { getTemplate } from './get-template.ts';
import { getTemplateDraft } from './get-template-draft.ts';
import { listTemplateVersions } from './list-template-versions.ts';
import { putTemplateDraft } from './put-template-draft.ts';
import { resolveLiveVersions } from './resolve-live-versions.ts';
import { saveTemplateDraft } from './save-template-draft.ts';

const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });
const empty = { metadata: {}, sample_data: null, base_version_id: null };

describe('the draft of a template', () => {
  const world = sharedByTests(openWorld);
  let ada: Principal;
  let bob: Principal;
  let id: string;
  let first: string;

  beforeEach(async () => {
    ada = somebody();
    bob = somebody({ organization_id: ada.organization_id });
    const made = await newTemplate(world(), ada);
    id = made.id;
    first = made.version.id;
  });

  const contextOf = (by: Principal) => newContext({ deadlineMs: 5_000, principal: by });
  const put = (
    body: Partial<InputOf<typeof putting>['body']>,
    by = ada,
    context = contextOf(by),
    templateId = id,
  ) =>
    ask(
      putTemplateDraft(world()),
      { params: { id: templateId }, body: { ...empty, blocks: greeting, ...body } },
      by,
      context,
    );
  const read = (by = ada) => ask(getTemplateDraft(world()), { params: { id } }, by);
  const discard = (query: { expected_revision?: number } = {}, by = ada) =>
    ask(deleteTemplateDraft(world()), { params: { id }, query }, by);
  const save = (body: object = {}, by = ada, context = contextOf(by)) =>
    ask(saveTemplateDraft(world()), { params: { id }, body }, by, context);
  const template = () => ask(getTemplate(world()), { params: { id } }, ada);
  const numbers = async () => {
    const input = { params: { id }, query: { limit: 20, offset: 0 } };
    return (await ask(listTemplateVersions(world()), input, ada)).data.map((it) => it.version_number);
  };
  const authorOf = ({ actor }: Principal) => actor.user_id ?? actor.id;

  describe('is written', () => {
    it('and read as it was written, whether or not its blocks compile', async () => {
      await expect(read()).rejects.toMatchObject({ code: 'not_found' });
      const blocks = [{ type: 'sektion' }, 'not a block', section('{{#broken')];
      const metadata = { icon_emoji: ':rock', locale: 'x' };
      const body = { blocks, metadata, sample_data: { b: 1, a: 2 }, base_version_id: first.toUpperCase() };
      const written = await put(body);
      expect(written).toEqual({
        template_id: id,
        blocks,
        metadata,
        sample_data: { b: 1, a: 2 },
        base_version_id: first,
        revision: 1,
        updated_by: authorOf(ada),
        created_at: expect.any(String),
        updated_at: expect.any(String),
      });
      expect(await read()).toEqual(written);
      expect(Object.keys((await read()).sample_data ?? {})).toEqual(['b', 'a']);
    });

    it('and named by its template, without its content, as long as it is there', async () => {
      expect(await template()).toMatchObject({ draft: null });
      const { revision, updated_by, updated_at } = await put({});
      expect((await template()).draft).toEqual({ revision, updated_by, updated_at });
      await discard();
      expect(await template()).toMatchObject({ draft: null });
    });

    it('with the next revision, and once for the same content of the same author', async () => {
      expect(await put({ expected_revision: null })).toMatchObject({ revision: 1 });
      expect(await put({ blocks: [section('2')], expected_revision: 1 })).toMatchObject({ revision: 2 });
      // The answer was lost, and the author asks again.
      expect(await put({ blocks: [section('2')], expected_revision: 1 })).toMatchObject({ revision: 2 });
      expect(await put({ blocks: [section('2')] })).toMatchObject({ revision: 2 });
    });

    it('not over a revision that the author has not read: the error names whose it is', async () => {
      await put({});
      await put({ blocks: [section('of Bob')], expected_revision: 1 }, bob);
      for (const expected_revision of [1, 3, null]) {
        const refused = put({ blocks: [section('of Ada')], expected_revision });
        await expect(refused).rejects.toMatchObject({
          code: 'draft_changed',
          message: expect.stringContaining(`revision 2, written by ${authorOf(bob)}`),
          facts: { error_details: expect.stringContaining('"revision":2') },
        });
      }
      expect(await read()).toMatchObject({ blocks: [section('of Bob')], revision: 2 });
      expect(await put({ blocks: [section('of Ada')] })).toMatchObject({ revision: 3 });
    });

    it('by one of fifty that have read the same revision', async () => {
      await put({});
      const outcomes = await Promise.allSettled(
        Array.from({ length: 50 }, (_, n) => put({ blocks: [section(`${n}`)], expected_revision: 1 })),
      );
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await read()).toMatchObject({ revision: 2 });
    });

    it('upon a version of the template alone', async () => {
      const other = await newTemplate(world(), ada);
      for (const base_version_id of [other.version.id, newId()]) {
        await expect(put({ base_version_id })).rejects.toMatchObject({ code: 'version_not_found' });
      }
    });
  });

  describe('is discarded', () => {
    it('at the revision that was read, and its numbers are not used again', async () => {
      await expect(discard()).rejects.toMatchObject({ code: 'not_found' });
      await put({});
      await expect(discard({ expected_revision: 2 })).rejects.toMatchObject({ code: 'draft_changed' });
      for (const query of [{ expected_revision: 1 }, { expected_revision: 1 }, {}]) {
        expect(await discard(query)).toEqual({ success: true, id });
      }
      await expect(discard({ expected_revision: 2 })).rejects.toMatchObject({ code: 'not_found' });
      await expect(read()).rejects.toMatchObject({ code: 'not_found' });
      await expect(save()).rejects.toMatchObject({ code: 'not_found' });
      await expect(put({ expected_revision: 1 })).rejects.toMatchObject({
        code: 'draft_changed',
        message: `There is no draft: revision 1 was discarded by ${authorOf(ada)}; the request expects revision 1. Begin one with the expected revision null.`,
      });
      expect(await put({ expected_revision: null })).toMatchObject({ revision: 2 });
    });

    it('with its template', async () => {
      await put({});
      const named = { params: { id } };
      await ask(archiveTemplate(world()), named, ada);
      const asked = [
        { kind: 'queue', answer: { queues: [], batches: [] } },
        { kind: 'schedule', answer: { schedules: [] } },
      ];
      const rpc = { call: async () => Object.assign({}, ...asked.map(({ answer }) => answer)) };
      await ask(deleteTemplate({ ...world(), rpc }), named, ada);
      expect(await world().rows('select 1 from template_drafts where template_id = $1', [id])).toEqual([]);
    });
  });

  describe('is saved', () => {
    it('as the next version, which is not live, with the metadata of the draft', async () => {
      const { id: entity_id } = await ask(createEntity(world()), { body: { name: 'Order' } }, ada);
      const base = await ask(
        appendTemplateVersion(world()),
        { params: { id }, body: { blocks: greeting, entity_id } },
        ada,
      );
      const metadata = { name: 'Hello', fallback_text: 'Hello {{name}}' };
      const sample_data = { name: 'Ada' };
      await put({ blocks: [section('Hi {{name}}')], metadata, sample_data, base_version_id: base.id });
      const version = await save({ note: 'shorter' }, bob);
      expect(version).toMatchObject({
        version_number: 3,
        blocks: [{ ...section('Hi {{name}}'), id: expect.stringMatching(/^blk_/) }],
        sample_data,
        entity_id,
        note: 'shorter',
        status: 'draft',
        created_by: authorOf(bob),
      });
      expect(await template()).toMatchObject({ ...metadata, current_version_id: null });
      await expect(read()).rejects.toMatchObject({ code: 'not_found' });
    });

    it('without the settings of messages that are live, where it is told to keep them', async () => {
      const { name: _, updated_at: __, ...kept } = await template();
      const settings = { strict: true, locale: 'de-DE', timezone: 'Europe/Berlin', fallback_text: 'Hi' };
      const metadata = { ...settings, name: 'Hello', user_name: 'Bot', icon_emoji: ':wave:' };
      await put({ blocks: [section('Hi')], metadata });
      const saved = await save({ keep_settings: true });
      expect(saved).toMatchObject({ version_number: 2 });
      expect(await template()).toMatchObject({ ...kept, name: 'Hello' });
      expect(await save({ keep_settings: true })).toEqual(saved);
    });

    it('once, however often and at what moment it is asked for', async () => {
      await put({ blocks: [section('Hi')] });
      const context = contextOf(ada);
      const saved = await Promise.all([
        save({}, ada, context),
        save({ expected_revision: 1 }, ada, context),
        ...Array.from({ length: 8 }, () => save({ expected_revision: 1 }, bob)),
      ]);
      expect(new Set(saved.map((it) => it.id)).size).toBe(1);
      expect(await save()).toEqual(saved[0]);
      expect(await numbers()).toEqual([2, 1]);
      await expect(save({ expected_revision: 2 })).rejects.toMatchObject({
        code: 'draft_changed',
        message: expect.stringContaining('revision 1 was saved as a version by'),
      });
      // Another draft is another version.
      expect(await put({ blocks: [section('Hi')] })).toMatchObject({ revision: 2 });
      expect(await save({ expected_revision: 2 })).toMatchObject({ version_number: 3 });
    });

    it('not at another revision than the one that was read', async () => {
      await put({});
      await put({ blocks: [section('Hi')] }, bob);
      await expect(save({ expected_revision: 1 })).rejects.toMatchObject({ code: 'draft_changed' });
      expect(await numbers()).toEqual([1]);
    });

    it.each([
      ['blocks that do not compile', { blocks: [section('{{name')] }, 'compilation_failed'],
      ['what is no block', { blocks: ['text', { no: 'type' }] }, 'validation_failed'],
      ['no blocks', { blocks: [] }, 'validation_failed'],
      ['more blocks than a version has', { blocks: Array(201).fill(section('x')) }, 'validation_failed'],
      ['unfinished metadata', { metadata: { icon_emoji: ':rock' } }, 'validation_failed'],
      ['a fallback text that does not compile', { metadata: { fallback_text: '{{' } }, 'compilation_failed'],
    ])('not with %s: then it stays', async (_, body, code) => {
      await put(body);
      await expect(save()).rejects.toMatchObject({ code });
      expect(await numbers()).toEqual([1]);
      expect(await read()).toMatchObject({ revision: 1 });
    });

    it('not with an entity that is unknown', async () => {
      await put({});
      await expect(save({ entity_id: newId() })).rejects.toMatchObject({ code: 'entity_not_found' });
      await expect(save({ entity_key: 'no-such' })).rejects.toMatchObject({ code: 'entity_not_found' });
      expect(await read()).toMatchObject({ revision: 1 });
    });

    it('with an entity that is named by its key', async () => {
      const body = { name: 'Invoice' };
      const entity = await ask(createEntity(world()), { body }, ada);
      await put({});
      expect(await save({ entity_key: entity.key })).toMatchObject({ entity_id: entity.id });
    });
  });

  it('is never what a message is made from', async () => {
    await put({ blocks: [section('of the draft')] });
    const { organization_id, environment } = ada;
    const asked = { templates: [{ organization_id, environment, template_id: id }] };
    expect((await ask(resolveLiveVersions(world()), asked)).versions).toEqual([
      { found: false, code: 'version_not_found' },
    ]);
    expect(await template()).toMatchObject({ current_version: null });
  });

  it('belongs to its tenant', async () => {
    await put({});
    const unknown = { code: 'template_not_found' };
    for (const stranger of strangersTo(ada)) {
      await expect(read(stranger)).rejects.toMatchObject(unknown);
      await expect(put({}, stranger)).rejects.toMatchObject(unknown);
      await expect(discard({}, stranger)).rejects.toMatchObject(unknown);
      await expect(save({}, stranger)).rejects.toMatchObject(unknown);
    }
    expect(await read()).toMatchObject({ revision: 1 });
  });

  it('leaves in the audit log who began it, took it over, discarded and saved it', async () => {
    await put({});
    await put({ blocks: [section('2')] });
    await put({ blocks: [section('3')] }, bob);
    await discard();
    await discard();
    await put({ metadata: { name: 'Hello' } });
    const { id: version_id } = await save();
    await save();
    const entries = await recordedAudit(world(), ada);
    expect(entries.slice(1).map((entry) => [entry.action, entry.changes])).toEqual([
      ['template_draft.created', { revision: 1 }],
      ['template_draft.taken_over', { revision: 3, from: authorOf(ada) }],
      ['template_draft.deleted', { revision: 3 }],
      ['template_draft.created', { revision: 4 }],
      ['template.updated', { name: { from: 'Greeting', to: 'Hello' } }],
      ['template.version_added', { version_id, version_number: 2, draft_revision: 4 }],
    ]);
  });
});
