import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  type InputOf,
  listTemplateQueues,
  listTemplateSchedules,
  type Principal,
  type ReplyOf,
  type updateTemplate as updating,
} from '@stanza/contracts';
import { handle, newId } from '@stanza/runtime';
import { inProcessRpc } from '@stanza/test-kit/database';
import { sharedByTests } from '@stanza/test-kit/shared';
import {
  ask,
  fullAppearance,
  newTemplate,
  openWorld,
  recordedAudit,
  somebody,
  strangersTo,
} from '../testing/world.ts';
import { activateTemplateVersion } from './activate-template-version.ts';
import { appendTemplateVersion } from './append-template-version.ts';
import { archiveTemplate } from './archive-template.ts';
import { deleteTemplate } from './delete-template.ts';
import { getTemplate } from './get-template.ts';
import { unarchiveTemplate } from './unarchive-template.ts';
import { updateTemplate } from './update-template.ts';

describe('a template', () => {
  const world = sharedByTests(() =>
    openWorld([
      handle(listTemplateQueues, async () => ({ queues, batches })),
      handle(listTemplateSchedules, async () => ({ schedules })),
    ]),
  );
  let queues: { id: string; name: string }[] = [];
  let batches: NonNullable<ReplyOf<typeof listTemplateQueues>['batches']> = [];
  let schedules: { id: string; timing: string }[] = [];
  let principal: Principal;
  let id: string;
  let versionId: string;
  beforeEach(async () => {
    queues = [];
    batches = [];
    schedules = [];
    principal = somebody();
    const made = await newTemplate(world(), principal);
    id = made.id;
    versionId = made.version.id;
  });

  const named = (template = id) => ({ params: { id: template } });
  const read = (by = principal) => ask(getTemplate(world()), named(), by);
  const update = (body: InputOf<typeof updating>['body'], by = principal) =>
    ask(updateTemplate(world()), { ...named(), body }, by);
  const archive = (by = principal) => ask(archiveTemplate(world()), named(), by);
  const unarchive = (by = principal) => ask(unarchiveTemplate(world()), named(), by);
  const remove = (by = principal) => ask(deleteTemplate(world()), named(), by);
  const recorded = async () => {
    const [, ...entries] = await recordedAudit(world(), principal);
    return entries.map(({ action, changes }) => [action, changes]);
  };

  describe('is changed', () => {
    it('in the given values, and keeps the others', async () => {
      const before = await read();
      const changes = {
        name: 'Salute',
        type: 'greeting',
        description: 'says hello',
        ...fullAppearance,
      };
      const { current_version, draft, ...template } = before;
      const after = { ...template, ...changes, updated_at: expect.any(String) };
      expect(await update(changes)).toEqual(after);
      expect(await read()).toEqual({ ...after, current_version, draft });
      expect((await read()).updated_at).not.toBe(before.updated_at);
      expect(await update({ description: null, locale: null })).toMatchObject({
        name: 'Salute',
        description: null,
        locale: null,
        timezone: 'Europe/Berlin',
      });
    });

    it('with an audit entry of old and new values, and without one where nothing differs', async () => {
      await update({ name: 'Salute', description: 'a secret plan' });
      const { updated_at } = await read();
      for (const same of [{}, { name: 'Salute' }, { strict: false, user_name: null }]) await update(same);
      expect((await read()).updated_at).toBe(updated_at);
      expect(await recorded()).toEqual([
        ['template.updated', { name: { from: 'Greeting', to: 'Salute' }, description: 'changed' }],
      ]);
    });

    it('only to a fallback text that compiles; a refused change leaves the rest unchanged too', async () => {
      const refused = update({ name: 'Salute', fallback_text: 'Hello {{name | shout}}' });
      await expect(refused).rejects.toMatchObject({
        code: 'compilation_failed',
        facts: { details: expect.stringMatching(/^\/fallback_text: filter\.unknown/) },
      });
      expect(await read()).toMatchObject({ name: 'Greeting', fallback_text: null });
      expect(await recorded()).toEqual([]);
    });

    it('only to a language that has the texts of its blocks', async () => {
      const translations = {
        type: 'directive',
        directive: '#translations',
        translations: { en: { a: 'Hi', b: 'x' }, de: { b: 'x' } },
      };
      const blocks = [translations, { type: 'section', text: { type: 'mrkdwn', text: '{{@t.a}} {{@t.b}}' } }];
      await ask(appendTemplateVersion(world()), { params: { id }, body: { blocks } }, principal);
      await expect(update({ locale: 'de' })).rejects.toMatchObject({
        code: 'compilation_failed',
        facts: { details: expect.stringMatching(/translations\.missing/) },
      });
      expect(await update({ locale: 'en-GB' })).toMatchObject({ locale: 'en-GB' });
    });

    it('whether or not it is live or archived', async () => {
      await ask(
        activateTemplateVersion(world()),
        { params: { id, version_id: versionId }, body: {} },
        principal,
      );
      expect(await update({ fallback_text: 'Hello' })).toMatchObject({ fallback_text: 'Hello' });
      await archive();
      expect(await update({ name: 'Shelved' })).toMatchObject({ name: 'Shelved', lifecycle: 'archived' });
    });
  });

  describe('is archived and unarchived', () => {
    it('once, however often it is requested', async () => {
      const archived = await archive();
      expect(archived).toEqual({
        id,
        lifecycle: 'archived',
        archived_at: expect.any(String),
        changed: true,
      });
      expect(await archive()).toEqual({ ...archived, changed: false });
      expect(await read()).toMatchObject({ lifecycle: 'archived', archived_at: archived.archived_at });
      const { archived_at } = archived;
      expect(await unarchive()).toEqual({ id, lifecycle: 'active', archived_at, changed: true });
      expect(await unarchive()).toEqual({ id, lifecycle: 'active', archived_at, changed: false });
      expect(await read()).toMatchObject({ lifecycle: 'active', archived_at: null });
      expect(await recorded()).toEqual([
        ['template.archived', { name: 'Greeting' }],
        ['template.unarchived', { name: 'Greeting' }],
      ]);
    });

    it('with the time of its last archiving in the answer, null where it never was archived', async () => {
      expect(await unarchive()).toEqual({ id, lifecycle: 'active', changed: false });
      await archive();
      await unarchive();
      const again = await archive();
      expect(await unarchive()).toMatchObject({ archived_at: again.archived_at, changed: true });
    });

    it('by one of many concurrent requests', async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => archive()));
      expect(answers.filter((it) => it.changed)).toHaveLength(1);
      expect(new Set(answers.map((it) => it.archived_at)).size).toBe(1);
    });
  });

  describe('is deleted', () => {
    it('with its versions and its log, once it is archived', async () => {
      await ask(
        activateTemplateVersion(world()),
        { params: { id, version_id: versionId }, body: {} },
        principal,
      );
      await archive();
      expect(await remove()).toEqual({ success: true, id });
      await expect(remove()).rejects.toMatchObject({ code: 'template_not_found' });
      await expect(read()).rejects.toMatchObject({ code: 'template_not_found' });
      for (const table of ['versions', 'activations']) {
        expect(await world().rows(`select 1 from ${table} where template_id = $1`, [id])).toEqual([]);
      }
      expect((await recorded()).at(-1)).toEqual([
        'template.deleted',
        { name: 'Greeting', type: 'message', versions: 1 },
      ]);
    });

    it('not while it is unarchived, and without asking other services', async () => {
      const { length: before } = world().rpc.calls;
      await expect(remove()).rejects.toMatchObject({ code: 'invalid_state' });
      expect(world().rpc.calls).toHaveLength(before);
      expect(await read()).toMatchObject({ id });
    });

    it('not while queues reference it, which are named', async () => {
      await archive();
      queues = [{ id: newId(), name: 'Deploy digest' }];
      await expect(remove()).rejects.toMatchObject({
        code: 'invalid_state',
        message: expect.stringContaining('Deploy digest'),
      });
      const { organization_id, environment } = principal;
      const input = { organization_id, environment, template_id: id };
      expect(world().rpc.calls.slice(-2)).toMatchObject([
        { operation: 'list-template-queues', input },
        { operation: 'list-template-schedules', input },
      ]);
      expect(await recorded()).toEqual([['template.archived', { name: 'Greeting' }]]);
      queues = [];
      await remove();
    });

    it('not while a batch that began with it may still be delivered, which is named with its queue', async () => {
      await archive();
      const batch = newId();
      batches = [{ id: batch, status: 'failed', queue: { id: newId(), name: 'Digest' } }];
      await expect(remove()).rejects.toMatchObject({
        code: 'invalid_state',
        message: expect.stringContaining('the batch "Digest (failed)"'),
        facts: { details: expect.stringContaining(batch) },
      });
      batches = [];
      await remove();
    });

    it('also while a previous version of the queue service answers without batches', async () => {
      await archive();
      const older = handle(listTemplateQueues, async () => ({ queues }));
      const rpc = inProcessRpc([older, handle(listTemplateSchedules, async () => ({ schedules }))]);
      await ask(deleteTemplate({ ...world(), rpc }), named(), principal);
      await expect(read()).rejects.toMatchObject({ code: 'template_not_found' });
    });

    it('not while scheduled messages reference it, which are named', async () => {
      await archive();
      schedules = [{ id: newId(), timing: '0 9 * * 1-5' }];
      await expect(remove()).rejects.toMatchObject({
        code: 'invalid_state',
        message: expect.stringContaining('the scheduled message "0 9 * * 1-5"'),
      });
      const [schedule] = schedules;
      const blind: Principal = { ...principal, scopes: ['templates:delete'] };
      await expect(ask(deleteTemplate(world()), named(), blind)).rejects.toMatchObject({
        message: `The template is used by the scheduled message ${schedule?.id}.`,
      });
      schedules = [];
      await remove();
    });

    it('not when it is unarchived while the queues are asked', async () => {
      await archive();
      const slow = handle(listTemplateQueues, async () => {
        await unarchive();
        return { queues: [] };
      });
      const refused = ask(
        deleteTemplate({
          ...world(),
          rpc: inProcessRpc([slow, handle(listTemplateSchedules, async () => ({ schedules }))]),
        }),
        named(),
        principal,
      );
      await expect(refused).rejects.toMatchObject({ code: 'invalid_state' });
      expect(await read()).toMatchObject({ lifecycle: 'active' });
    });
  });

  it('is not found for other tenants', async () => {
    await archive();
    const before = await read();
    for (const stranger of strangersTo(principal)) {
      for (const refused of [
        update({ name: 'Mine' }, stranger),
        archive(stranger),
        unarchive(stranger),
        remove(stranger),
      ]) {
        await expect(refused).rejects.toMatchObject({ code: 'template_not_found' });
      }
    }
    expect(await read()).toEqual(before);
  });
});
