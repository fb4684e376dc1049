import { describe, expect, it } from '@jest/globals';
import {
  type appendModalVersion as appending,
  type InputOf,
  limits,
  type Principal,
} from '@stanza/contracts';
import { newContext, newId } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { askWhy, newModal } from '../testing/modals.ts';
import { ask, openWorld, recordedAudit, somebody, strangersTo } from '../testing/world.ts';
import { activateModalVersion } from './activate-modal-version.ts';
import { appendModalVersion } from './append-modal-version.ts';
import { getModal } from './get-modal.ts';
import { getModalSource } from './get-modal-source.ts';
import { getModalVersion } from './get-modal-version.ts';
import { listModalVersions } from './list-modal-versions.ts';
import { listModals } from './list-modals.ts';
import { updateModal } from './update-modal.ts';

type Body = InputOf<typeof appending>['body'];

describe('the versions of a modal', () => {
  const world = sharedByTests(openWorld);

  const contextOf = (principal: Principal) => newContext({ deadlineMs: 30_000, principal });
  const append = (by: Principal, id: string, body: Partial<Body> = {}, context = contextOf(by)) =>
    ask(
      appendModalVersion(world()),
      { params: { id }, body: { blocks: askWhy, sample_data: {}, activate: false, ...body } },
      by,
      context,
    );
  const activate = (by: Principal, id: string, version_id: string, context = contextOf(by)) =>
    ask(activateModalVersion(world()), { params: { id, version_id } }, by, context);
  const read = (by: Principal, id: string, version_id: string) =>
    ask(getModalVersion(world()), { params: { id, version_id } }, by);
  const list = (by: Principal, id: string, query = { limit: 20, offset: 0 }) =>
    ask(listModalVersions(world()), { params: { id }, query }, by);
  const current = async (by: Principal, id: string) =>
    (await ask(getModal(world()), { params: { id } }, by)).current_version_id;
  const source = (by: Principal, modal_id: string, more: { version_id?: string; drafts?: boolean } = {}) => {
    const { organization_id, environment } = by;
    return ask(getModalSource(world()), { organization_id, environment, modal_id, drafts: false, ...more });
  };

  it('A list of modals has the newest version of each, without its content', async () => {
    const by = somebody();
    const { id } = await newModal(world(), by, { activate: true });
    const { blocks: _, placeholder_mapping: __, sample_data: ___, ...facts } = await append(by, id);
    const query = { limit: 20, offset: 0, sort: 'name' as const };
    const { data } = await ask(listModals(world()), { query }, by);
    expect(data.map((it) => it.newest_version)).toEqual([facts]);
    expect(facts).toMatchObject({ version_number: 2, status: 'draft' });
  });

  it('are numbered, keep their content, and are drafts', async () => {
    const by = somebody();
    const { id } = await newModal(world(), by, { activate: true });
    const placeholder_mapping = { name: 'customer.name' };
    const second = await append(by, id, { placeholder_mapping, sample_data: { customer: { name: 'Ada' } } });
    expect(second).toEqual({
      id: expect.any(String),
      modal_definition_id: id,
      version_number: 2,
      blocks: askWhy,
      placeholder_mapping,
      sample_data: { customer: { name: 'Ada' } },
      status: 'draft',
      is_current: false,
      created_by: by.actor.user_id,
      created_at: expect.any(String),
      updated_at: second.created_at,
    });
    expect(await read(by, id, second.id)).toEqual(second);
    expect(await append(by, id)).toMatchObject({ version_number: 3, placeholder_mapping: null });
  });

  it('have no gaps, however many are appended concurrently', async () => {
    const by = somebody();
    const { id } = await newModal(world(), by);
    await Promise.all(Array.from({ length: 10 }, () => append(by, id)));
    const { data, pagination } = await list(by, id);
    expect(data.map((it) => it.version_number)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect(pagination).toEqual({ offset: 0, limit: 20, total: 11 });
  });

  it('requested twice by one operation, are appended once', async () => {
    const by = somebody();
    const { id } = await newModal(world(), by);
    const context = contextOf(by);
    const twice = () => append(by, id, { activate: true }, context);
    const [first, again] = await Promise.all([twice(), twice()]);
    expect(again).toEqual(first);
    expect((await list(by, id)).pagination.total).toBe(2);
    expect((await recordedAudit(world(), by)).map((it) => it.action)).toEqual([
      'modal.created',
      'modal.version_added',
    ]);
  });

  it('that do not compile are not appended', async () => {
    const by = somebody();
    const { id } = await newModal(world(), by);
    await expect(append(by, id, { blocks: [{ type: 'headr' }], activate: true })).rejects.toMatchObject({
      code: 'compilation_failed',
      facts: { details: expect.stringMatching(/^\/blocks\/0\/type/) },
    });
    expect((await list(by, id)).pagination.total).toBe(1);
  });

  it('go from draft to active, inactive, and active again', async () => {
    const by = somebody();
    const { id, version: first } = await newModal(world(), by);
    const statuses = async () => (await list(by, id)).data.map((it) => it.status);
    expect(await activate(by, id, first.id)).toEqual({
      ...first,
      status: 'active',
      is_current: true,
      updated_at: expect.any(String),
    });
    const second = await append(by, id, { activate: true });
    expect(second).toMatchObject({ status: 'active', is_current: true });
    expect(await statuses()).toEqual(['active', 'inactive']);
    await append(by, id);
    expect(await activate(by, id, first.id)).toMatchObject({ status: 'active' });
    expect(await statuses()).toEqual(['draft', 'inactive', 'active']);
    expect(await current(by, id)).toBe(first.id);
    const entries = await recordedAudit(world(), by);
    expect(entries.filter((it) => it.action === 'modal.activated').map((it) => it.changes)).toEqual([
      { version_id: { from: null, to: first.id }, version_number: { from: null, to: 1 } },
      { version_id: { from: second.id, to: first.id }, version_number: { from: 2, to: 1 } },
    ]);
  });

  it('stay unchanged when the active one is activated, or an operation is repeated', async () => {
    const by = somebody();
    const { id, version } = await newModal(world(), by);
    const context = contextOf(by);
    const active = await activate(by, id, version.id, context);
    expect(await activate(by, id, version.id)).toEqual(active);
    const second = await append(by, id, { activate: true });
    // A late repeat of the first request keeps the later changes.
    expect(await activate(by, id, version.id, context)).toMatchObject({ status: 'inactive' });
    expect(await current(by, id)).toBe(second.id);
    const actions = (await recordedAudit(world(), by)).map((it) => it.action);
    expect(actions.filter((it) => it === 'modal.activated')).toHaveLength(1);
  });

  it('are never active together under concurrency', async () => {
    const by = somebody();
    const { id, version } = await newModal(world(), by);
    const others = await Promise.all(Array.from({ length: 4 }, () => append(by, id)));
    const all = [version, ...others];
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => activate(by, id, all[n % all.length]?.id ?? '')),
    );
    expect(answers.map((it) => it.status)).toEqual(answers.map(() => 'active'));
    const { data } = await list(by, id);
    const active = data.filter((it) => it.is_current);
    expect(active).toHaveLength(1);
    expect(await current(by, id)).toBe(active[0]?.id);
    // The log is a chain: each activation starts from the previous one.
    const steps = await world().rows<{ from: string | null; to: string }>(
      `select payload #>> '{changes,version_id,from}' as from, payload #>> '{changes,version_id,to}' as to
       from outbox
       where payload ->> 'action' = 'modal.activated'
         and payload ->> 'organization_id' = $1
       order by id`,
      [by.organization_id],
    );
    expect(steps.map((it) => it.from)).toEqual([null, ...steps.slice(0, -1).map((it) => it.to)]);
    expect(steps.at(-1)?.to).toBe(active[0]?.id);
  });

  it('are listed with their blocks, up to the size of one answer', async () => {
    const by = somebody();
    const { id } = await newModal(world(), by);
    const { data } = await list(by, id);
    expect(data[0]).toMatchObject({ blocks: askWhy, placeholder_mapping: null });
    expect(data[0]).not.toHaveProperty('sample_data');
    const large = JSON.stringify([{ type: 'section', text: 'x'.repeat(limits.modalBody) }]);
    await world().rows(
      `insert into modal_versions (organization_id, environment, id, modal_id, operation_id, version_number, blocks,
         status, created_by, created_at, updated_at)
       select organization_id, environment, gen_random_uuid(), modal_id, gen_random_uuid(), n, $2::json,
         'draft', 'ada', created_at, created_at
       from modal_versions, generate_series(2, 18) as n
       where modal_id = $1`,
      [id, large],
    );
    await expect(list(by, id)).rejects.toMatchObject({ code: 'invalid_request' });
    expect((await list(by, id, { limit: 5, offset: 2 })).data.map((it) => it.version_number)).toEqual([
      16, 15, 14, 13, 12,
    ]);
  });

  describe('as the source of views', () => {
    it('are the active one, a named one, or the newest draft', async () => {
      const by = somebody();
      const { id, version } = await newModal(world(), by, { sample_data: { name: 'Ada' } });
      await expect(source(by, id)).rejects.toMatchObject({ code: 'version_not_found' });
      expect(await source(by, id, { drafts: true })).toMatchObject({ version_id: version.id });
      const second = await append(by, id, { activate: true, placeholder_mapping: { name: 'who' } });
      const third = await append(by, id);
      const label = { title: 'Refund', submit_label: 'Submit', close_label: 'Cancel' };
      const made = {
        modal_name: 'Refund',
        version_id: second.id,
        version_number: 2,
        views: [{ ...label, blocks: askWhy }],
        sample_data: {},
        placeholder_mapping: { name: 'who' },
      };
      expect(await source(by, id)).toEqual(made);
      expect(await source(by, id, { drafts: true })).toEqual(made);
      expect(await source(by, id, { version_id: third.id })).toMatchObject({ version_number: 3 });
    });

    it('have a view for each step, with the labels of the modal where a step has none', async () => {
      const by = somebody();
      const { id } = await newModal(world(), by, { activate: true });
      const steps = [
        { title: 'Why', blocks: askWhy, submit_label: 'Next' },
        { title: 'Sure?', blocks: askWhy },
      ];
      await ask(updateModal(world()), { params: { id }, body: { steps } }, by);
      expect((await source(by, id)).views).toEqual([
        { title: 'Why', submit_label: 'Next', close_label: 'Cancel', blocks: askWhy },
        { title: 'Sure?', submit_label: 'Submit', close_label: 'Cancel', blocks: askWhy },
      ]);
    });
  });

  it('are not found for other tenants, nor under another modal', async () => {
    const by = somebody();
    const { id, version } = await newModal(world(), by);
    const other = await newModal(world(), by);
    for (const found of [read(by, other.id, version.id), activate(by, other.id, version.id)]) {
      await expect(found).rejects.toMatchObject({ code: 'version_not_found' });
    }
    for (const stranger of strangersTo(by)) {
      const tries = (modal: string, of: string) => [
        read(stranger, modal, of),
        activate(stranger, modal, of),
        append(stranger, modal),
        list(stranger, modal),
        source(stranger, modal, { version_id: of }),
      ];
      const unknown = await Promise.allSettled(tries(newId(), newId()));
      expect(await Promise.allSettled(tries(id, version.id))).toEqual(unknown);
      expect(unknown.map((it) => it.status)).toEqual(unknown.map(() => 'rejected'));
    }
    expect(await read(by, id, version.id)).toEqual(version);
  });
});
