import { describe, expect, it, jest } from '@jest/globals';
import type { InputOf, Principal, updateModal as updating } from '@stanza/contracts';
import { newContext, newId } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { askWhy, newModal } from '../testing/modals.ts';
import { newPartial } from '../testing/partials.ts';
import { ask, newTemplate, openWorld, recordedAudit, somebody, strangersTo } from '../testing/world.ts';
import { activateTemplateVersion } from './activate-template-version.ts';
import { appendTemplateVersion } from './append-template-version.ts';
import { archiveTemplate } from './archive-template.ts';
import { deleteModal } from './delete-modal.ts';
import { getModal } from './get-modal.ts';
import { listModals } from './list-modals.ts';
import { listTemplates } from './list-templates.ts';
import { unarchiveTemplate } from './unarchive-template.ts';
import { updateModal } from './update-modal.ts';

const text = (value: string) => [{ type: 'section', id: 's', text: { type: 'mrkdwn', text: value } }];

describe('a modal', () => {
  const world = sharedByTests(openWorld);

  const read = (by: Principal, id: string) => ask(getModal(world()), { params: { id } }, by);
  const update = (by: Principal, id: string, body: InputOf<typeof updating>['body']) =>
    ask(updateModal(world()), { params: { id }, body }, by);
  const remove = (by: Principal, id: string) => ask(deleteModal(world()), { params: { id } }, by);
  const list = (by: Principal, query: object = {}) =>
    ask(listModals(world()), { query: { limit: 20, offset: 0, sort: '-created_at', ...query } }, by);

  it('is created with a version 1 that is a draft', async () => {
    const by = somebody();
    const made = await newModal(world(), by, { description: 'Money back', sample_data: { name: 'Ada' } });
    expect(made).toEqual({
      id: expect.any(String),
      organization_id: by.organization_id,
      key: 'refund',
      name: 'Refund',
      description: 'Money back',
      title: 'Refund',
      submit_label: 'Submit',
      close_label: 'Cancel',
      current_version_id: null,
      is_multi_step: false,
      steps: null,
      created_by: by.actor.user_id,
      created_at: expect.any(String),
      updated_at: made.created_at,
      current_version: null,
      version: {
        id: expect.any(String),
        modal_definition_id: made.id,
        version_number: 1,
        blocks: askWhy,
        placeholder_mapping: null,
        sample_data: { name: 'Ada' },
        status: 'draft',
        is_current: false,
        created_by: by.actor.user_id,
        created_at: made.created_at,
        updated_at: made.created_at,
      },
    });
    const { version: _, ...modal } = made;
    expect(await read(by, made.id)).toEqual(modal);
  });

  it('is created with an active version on request', async () => {
    const by = somebody();
    const { version, ...modal } = await newModal(world(), by, { activate: true });
    expect(version).toMatchObject({ status: 'active', is_current: true });
    expect(modal.current_version_id).toBe(version.id);
    expect(modal.current_version).toEqual(version);
    expect(await read(by, modal.id)).toEqual(modal);
  });

  it('requested twice by one operation, is created once', async () => {
    const by = somebody();
    const context = newContext({ deadlineMs: 5_000, principal: by });
    const create = () => newModal(world(), by, { activate: true }, context);
    const [first, again] = await Promise.all([create(), create()]);
    expect(again).toEqual(first);
    expect((await list(by)).pagination.total).toBe(1);
    expect(await recordedAudit(world(), by)).toHaveLength(1);
  });

  it('that does not compile is not created, and every problem is listed', async () => {
    const by = somebody();
    const blocks = [{ type: 'markdown', text: 'x' }, { type: 'headr' }, ...text('{{a..b}}')];
    await expect(newModal(world(), by, { title: '{{a', blocks })).rejects.toMatchObject({
      code: 'compilation_failed',
      facts: {
        details: expect.stringMatching(/^\/title: .*\n\/blocks\/0\/.*\n\/blocks\/1\/.*\n\/blocks\/2\//),
      },
    });
    expect((await list(by)).data).toEqual([]);
    expect(await recordedAudit(world(), by)).toEqual([]);
  });

  it('is changed in the given values, once', async () => {
    const by = somebody();
    const { version, ...made } = await newModal(world(), by, { activate: true });
    const body = { name: 'Refunds', description: 'Money', title: 'Refund {{name}}', submit_label: 'Pay' };
    const changed = await update(by, made.id, body);
    expect(changed).toEqual({ ...made, ...body, updated_at: expect.any(String) });
    expect(changed.updated_at > made.updated_at).toBe(true);
    expect(await update(by, made.id, body)).toEqual(changed);
    expect(await read(by, made.id)).toEqual(changed);
    expect(await update(by, made.id, { description: null })).toMatchObject({ description: null });
    const entries = await recordedAudit(world(), by);
    expect(entries.map((it) => [it.action, it.changes])).toEqual([
      ['modal.created', { name: 'Refund', version_id: version.id, active: true }],
      [
        'modal.updated',
        {
          name: { from: 'Refund', to: 'Refunds' },
          description: 'changed',
          title: { from: 'Refund', to: 'Refund {{name}}' },
          submit_label: { from: 'Submit', to: 'Pay' },
        },
      ],
      ['modal.updated', { description: 'changed' }],
    ]);
  });

  it('has steps, each with its own view, until they are removed', async () => {
    const by = somebody();
    const { version: _, ...made } = await newModal(world(), by);
    const steps = [
      { title: 'Why', blocks: askWhy, submit_label: 'Next' },
      { title: 'Sure?', blocks: [{ type: 'divider' }] },
    ];
    const changed = await update(by, made.id, { steps });
    expect(changed).toMatchObject({
      is_multi_step: true,
      steps: [
        { title: 'Why', blocks: askWhy, submit_label: 'Next' },
        {
          title: 'Sure?',
          blocks: [{ type: 'divider', id: expect.stringMatching(/^blk_/) }],
          submit_label: null,
        },
      ],
    });
    expect(await read(by, made.id)).toEqual(changed);
    expect((await list(by)).data[0]?.steps).toEqual([
      { title: 'Why', submit_label: 'Next' },
      { title: 'Sure?', submit_label: null },
    ]);
    expect(await update(by, made.id, { steps: null })).toEqual({
      ...made,
      updated_at: expect.any(String),
    });
    expect(await read(by, made.id)).toMatchObject({ is_multi_step: false, steps: null });
  });

  it('refuses a change that does not compile, in any of its steps', async () => {
    const by = somebody();
    const { version: _, ...made } = await newModal(world(), by);
    const steps = [
      { title: 'Why', blocks: [{ type: 'headr' }] },
      { title: '{{a', blocks: text('{{b..c}}') },
    ];
    await expect(update(by, made.id, { steps })).rejects.toMatchObject({
      code: 'compilation_failed',
      facts: {
        details: expect.stringMatching(
          /^\/steps\/0\/blocks\/0\/.*\n\/steps\/1\/title.*\n\/steps\/1\/blocks\/0\//,
        ),
      },
    });
    await expect(update(by, made.id, { title: '{{a' })).rejects.toMatchObject({
      code: 'compilation_failed',
      facts: { details: expect.stringMatching(/^\/title/) },
    });
    expect(await read(by, made.id)).toEqual(made);
  });

  it('is listed without its blocks, by name, page by page', async () => {
    const by = somebody();
    for (const name of ['Refund', 'Survey', 'Order refund']) await newModal(world(), by, { name });
    const names = async (query: object) => (await list(by, query)).data.map((it) => it.name);
    expect(await names({})).toEqual(['Order refund', 'Survey', 'Refund']);
    expect(await names({ q: 'REFUND', sort: 'name' })).toEqual(['Order refund', 'Refund']);
    expect(await names({ sort: 'created_at', limit: 1, offset: 1 })).toEqual(['Survey']);
    expect((await list(by)).data[0]).not.toHaveProperty('current_version');
  });

  describe('to be deleted', () => {
    const opening = (modal_id: string) => [
      {
        type: 'actions',
        elements: [
          {
            type: 'button',
            text: { type: 'plain_text', text: 'Refund' },
            interaction: [{ type: 'open_modal', modal_id, data: {} }],
          },
        ],
      },
    ];
    const makeLive = (by: Principal, id: string, version_id: string) =>
      ask(activateTemplateVersion(world()), { params: { id, version_id }, body: {} }, by);

    it('is deleted with its versions, once', async () => {
      const by = somebody();
      const { id } = await newModal(world(), by, { activate: true });
      expect(await remove(by, id)).toEqual({ success: true, id });
      for (const again of [read(by, id), update(by, id, { name: 'x' }), remove(by, id)]) {
        await expect(again).rejects.toMatchObject({ code: 'not_found' });
      }
      const left = await world().rows('select 1 from modal_versions where organization_id = $1', [
        by.organization_id,
      ]);
      expect(left).toEqual([]);
      expect((await recordedAudit(world(), by)).map((it) => [it.action, it.changes])).toEqual([
        ['modal.created', expect.anything()],
        ['modal.deleted', { name: 'Refund', versions: 1 }],
      ]);
    });

    it('stays while the live version of an unarchived template opens it', async () => {
      const by = somebody();
      const { id } = await newModal(world(), by);
      const template = await newTemplate(world(), by, { name: 'Receipt', blocks: opening(id.toUpperCase()) });
      await makeLive(by, template.id, template.version.id);
      await expect(remove(by, id)).rejects.toMatchObject({
        code: 'invalid_state',
        facts: {
          message: expect.stringContaining('"Receipt"'),
          details: `template ${template.id}: Receipt`,
        },
      });
      const append = { params: { id: template.id }, body: { blocks: text('no button') } };
      const next = await ask(appendTemplateVersion(world()), append, by);
      await makeLive(by, template.id, next.id);
      expect(await remove(by, id)).toEqual({ success: true, id });
    });

    it('stays while the live version of a partial opens it, which is not called a template', async () => {
      const by = somebody();
      const { id } = await newModal(world(), by);
      const partial = await newPartial(world(), by, { name: 'Buttons', blocks: opening(id) });
      await expect(remove(by, id)).rejects.toMatchObject({
        message: 'The modal is opened by the partial "Buttons".',
        facts: { details: `partial ${partial.id}: Buttons` },
      });
    });

    it('is found with the templates whose live version opens it, and with no others', async () => {
      const by = somebody();
      const [refund, other] = [await newModal(world(), by), await newModal(world(), by)];
      const opener = await newTemplate(world(), by, { name: 'Receipt', blocks: opening(refund.id) });
      await newTemplate(world(), by, { name: 'Not live', blocks: opening(refund.id) });
      const another = await newTemplate(world(), by, { name: 'Other', blocks: opening(other.id) });
      for (const { id, version } of [opener, another]) await makeLive(by, id, version.id);
      const opens = async (principal: Principal, opens_modal: string) =>
        (
          await ask(
            listTemplates(world()),
            { query: { opens_modal, limit: 20, offset: 0, sort: 'name' } },
            principal,
          )
        ).data.map(({ name }) => name);
      expect(await opens(by, refund.id)).toEqual(['Receipt']);
      for (const stranger of strangersTo(by)) expect(await opens(stranger, refund.id)).toEqual([]);
      const append = { params: { id: opener.id }, body: { blocks: text('no button') } };
      await makeLive(by, opener.id, (await ask(appendTemplateVersion(world()), append, by)).id);
      expect(await opens(by, refund.id)).toEqual([]);
    });

    it('is missed by an activation that was checked before its deletion', async () => {
      const by = somebody();
      const { id } = await newModal(world(), by);
      const template = await newTemplate(world(), by, { blocks: opening(id) });
      const transaction = world().database.transaction.bind(world().database);
      const spy = jest
        .spyOn(world().database, 'transaction')
        .mockImplementationOnce(async (work, options) => {
          await remove(by, id);
          return transaction(work, options);
        });
      await expect(makeLive(by, template.id, template.version.id)).rejects.toMatchObject({
        code: 'invalid_state',
        facts: { message: expect.stringContaining(id) },
      });
      spy.mockRestore();
      const [row] = await world().rows('select current_version_id from templates where id = $1', [
        template.id,
      ]);
      expect(row).toEqual({ current_version_id: null });
    });

    it('is missed by a way back to a version that opens it', async () => {
      const by = somebody();
      const { id } = await newModal(world(), by);
      const template = await newTemplate(world(), by, { blocks: opening(id) });
      await makeLive(by, template.id, template.version.id);
      const append = { params: { id: template.id }, body: { blocks: text('no button') } };
      const next = await ask(appendTemplateVersion(world()), append, by);
      await makeLive(by, template.id, next.id);
      await remove(by, id);
      await expect(makeLive(by, template.id, template.version.id)).rejects.toMatchObject({
        code: 'compilation_failed',
      });
    });

    it('is not kept by drafts and archived templates, which say so when they return, and no other tenant can name it', async () => {
      const by = somebody();
      const { id } = await newModal(world(), by);
      await newTemplate(world(), by, { blocks: opening(id) });
      const archived = await newTemplate(world(), by, { blocks: opening(id) });
      await makeLive(by, archived.id, archived.version.id);
      await ask(archiveTemplate(world()), { params: { id: archived.id } }, by);
      for (const stranger of strangersTo(by)) {
        const theirs = newTemplate(world(), stranger, { blocks: opening(id) });
        await expect(theirs).rejects.toMatchObject({ code: 'compilation_failed' });
      }
      expect(await remove(by, id)).toEqual({ success: true, id });
      const back = { params: { id: archived.id } };
      expect(await ask(unarchiveTemplate(world()), back, by)).toMatchObject({
        lifecycle: 'active',
        warnings: [expect.stringContaining(id)],
      });
    });
  });

  it('is not found for other tenants', async () => {
    const by = somebody();
    const { version: _, ...made } = await newModal(world(), by);
    for (const stranger of strangersTo(by)) {
      const tries = (id: string) => [
        read(stranger, id),
        update(stranger, id, { name: 'Mine' }),
        remove(stranger, id),
      ];
      const unknown = await Promise.allSettled(tries(newId()));
      expect(await Promise.allSettled(tries(made.id))).toEqual(unknown);
      expect(unknown).toEqual(
        unknown.map(() => ({ status: 'rejected', reason: expect.objectContaining({ code: 'not_found' }) })),
      );
      expect((await list(stranger)).data).toEqual([]);
    }
    expect(await read(by, made.id)).toEqual(made);
  });
});
