import { describe, expect, it } from '@jest/globals';
import type {
  createSampleData as creating,
  InputOf,
  Principal,
  updateSampleData as updating,
} from '@stanza/contracts';
import { newContext, newId } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { ask, newTemplate, openWorld, recordedAudit, somebody, strangersTo } from '../testing/world.ts';
import { createEntity } from './create-entity.ts';
import { createEntityField } from './create-entity-field.ts';
import { createSampleData } from './create-sample-data.ts';
import { deleteSampleData } from './delete-sample-data.ts';
import { getSampleData } from './get-sample-data.ts';
import { listSampleData } from './list-sample-data.ts';
import { updateSampleData } from './update-sample-data.ts';

type Body = InputOf<typeof creating>['body'];

describe('sample data', () => {
  const world = sharedByTests(openWorld);

  const create = (
    by: Principal,
    body: Partial<Body> = {},
    context = newContext({ deadlineMs: 5_000, principal: by }),
  ) =>
    ask(
      createSampleData(world()),
      { body: { name: 'A big one', data: { order: { id: 'A-1' } }, ...body } },
      by,
      context,
    );
  const read = (by: Principal, id: string) => ask(getSampleData(world()), { params: { id } }, by);
  const update = (by: Principal, id: string, body: InputOf<typeof updating>['body']) =>
    ask(updateSampleData(world()), { params: { id }, body }, by);
  const remove = (by: Principal, id: string) => ask(deleteSampleData(world()), { params: { id } }, by);
  const list = (by: Principal, query: object = {}) =>
    ask(listSampleData(world()), { query: { limit: 20, offset: 0, sort: '-created_at', ...query } }, by);

  /** An entity whose data has a number `total`. */
  const entityWithTotal = async (by: Principal): Promise<string> => {
    const { id } = await ask(createEntity(world()), { body: { name: `Order ${newId()}` } }, by);
    const body = { name: 'total', type: 'number' as const, required: true };
    await ask(createEntityField(world()), { params: { id }, body }, by);
    return id;
  };

  it('is saved, read, changed and deleted, each with an audit entry without the data', async () => {
    const by = somebody();
    const made = await create(by, { description: 'more than usual' });
    expect(made).toEqual({
      id: expect.any(String),
      organization_id: by.organization_id,
      name: 'A big one',
      description: 'more than usual',
      data: { order: { id: 'A-1' } },
      template_id: null,
      entity_id: null,
      created_by: by.actor.user_id,
      created_at: expect.any(String),
      updated_at: made.created_at,
    });
    expect(await read(by, made.id)).toEqual(made);
    const changed = await update(by, made.id, { name: 'Bigger', data: { order: { id: 'A-2' } } });
    expect(changed).toEqual({
      ...made,
      name: 'Bigger',
      data: { order: { id: 'A-2' } },
      updated_at: expect.any(String),
    });
    expect(await update(by, made.id, { name: 'Bigger', data: { order: { id: 'A-2' } } })).toEqual(changed);
    expect(await read(by, made.id)).toEqual(changed);
    expect(await remove(by, made.id)).toEqual({ success: true, id: made.id });
    for (const again of [read(by, made.id), update(by, made.id, {}), remove(by, made.id)]) {
      await expect(again).rejects.toMatchObject({ code: 'not_found' });
    }
    const entries = await recordedAudit(world(), by);
    expect(entries.map((it) => [it.action, it.changes])).toEqual([
      ['sample_data.created', { name: 'A big one', template_id: null, entity_id: null }],
      ['sample_data.updated', { name: { from: 'A big one', to: 'Bigger' }, data: 'changed' }],
      ['sample_data.deleted', { name: 'Bigger' }],
    ]);
    expect(JSON.stringify(entries)).not.toContain('A-2');
  });

  it('requested twice by one operation, is saved once', async () => {
    const by = somebody();
    const context = newContext({ deadlineMs: 5_000, principal: by });
    const [first, again] = await Promise.all([create(by, {}, context), create(by, {}, context)]);
    expect(again).toEqual(first);
    expect((await list(by)).pagination.total).toBe(1);
    expect(await recordedAudit(world(), by)).toHaveLength(1);
  });

  it('matches its entity, when it is saved and when it is changed', async () => {
    const by = somebody();
    const entity_id = await entityWithTotal(by);
    const refusal = {
      code: 'invalid_data',
      facts: { details: expect.stringMatching(/^\/data\/total: field/) },
    };
    await expect(create(by, { entity_id, data: { total: 'much' } })).rejects.toMatchObject(refusal);
    await expect(create(by, { entity_id, data: {} })).rejects.toMatchObject(refusal);
    const made = await create(by, { entity_id: entity_id.toUpperCase(), data: { total: 1, note: 'any' } });
    expect(made.entity_id).toBe(entity_id);
    await expect(update(by, made.id, { data: { total: null } })).rejects.toMatchObject(refusal);
    expect(await update(by, made.id, { entity_id: null, data: {} })).toMatchObject({ entity_id: null });
    await expect(update(by, made.id, { entity_id })).rejects.toMatchObject(refusal);
    expect(await update(by, made.id, { entity_id, data: { total: 2 } })).toMatchObject({ entity_id });
    expect((await list(by)).pagination.total).toBe(1);
  });

  it('references an existing template and entity', async () => {
    const by = somebody();
    const template = await newTemplate(world(), by);
    const made = await create(by, { template_id: template.id.toUpperCase() });
    expect(made.template_id).toBe(template.id);
    const [other, preview] = strangersTo(by);
    for (const stranger of [other, preview]) {
      if (!stranger) throw new Error('unreachable');
      const theirs = await newTemplate(world(), stranger);
      const entity_id = await entityWithTotal(stranger);
      for (const refused of [
        create(by, { template_id: theirs.id }),
        update(by, made.id, { template_id: theirs.id }),
      ]) {
        await expect(refused).rejects.toMatchObject({ code: 'template_not_found' });
      }
      for (const refused of [create(by, { entity_id }), update(by, made.id, { entity_id })]) {
        await expect(refused).rejects.toMatchObject({ code: 'entity_not_found' });
      }
    }
    expect(await read(by, made.id)).toEqual(made);
  });

  it('names its template and its entity by their keys, too', async () => {
    const by = somebody();
    const { id: template_id, key: template_key } = await newTemplate(world(), by);
    const entity = await ask(createEntity(world()), { body: { name: 'Order' } }, by);
    const keys = { template_key, entity_key: entity.key };
    const ids = { template_id, entity_id: entity.id };
    const made = await create(by, keys);
    expect(made).toMatchObject(ids);
    const other = await create(by, { name: 'for nothing' });
    for (const query of [keys, { ...keys, ...ids }])
      expect((await list(by, query)).data.map((it) => it.id)).toEqual([made.id]);
    expect((await list(by, { template_key, template_id: entity.id })).data).toEqual([]);
    expect((await list(by, { template_key: 'no-such' })).data).toEqual([]);
    expect((await list(by, { entity_key: 'no-such' })).data).toEqual([]);
    expect(await update(by, other.id, keys)).toMatchObject(ids);
    expect(await update(by, made.id, { name: 'Bigger' })).toMatchObject(ids);
    for (const refused of [
      create(by, { template_key: 'no-such' }),
      update(by, made.id, { template_key: 'no-such' }),
    ])
      await expect(refused).rejects.toMatchObject({ code: 'template_not_found' });
    for (const refused of [
      create(by, { entity_key: 'no-such' }),
      update(by, made.id, { entity_key: 'no-such' }),
    ])
      await expect(refused).rejects.toMatchObject({ code: 'entity_not_found' });
    for (const stranger of strangersTo(by))
      await expect(create(stranger, { template_key })).rejects.toMatchObject({ code: 'template_not_found' });
  });

  it('is listed without the data, by template, by entity, by name', async () => {
    const by = somebody();
    const { id: template_id } = await newTemplate(world(), by);
    const entity_id = await entityWithTotal(by);
    await create(by, { name: 'for nothing' });
    await create(by, { name: 'for a template', template_id });
    await create(by, { name: 'for both', template_id, entity_id, data: { total: 1 } });
    const names = async (query: object) => (await list(by, query)).data.map((it) => it.name);
    expect(await names({})).toEqual(['for both', 'for a template', 'for nothing']);
    expect(await names({ template_id })).toEqual(['for both', 'for a template']);
    expect(await names({ entity_id })).toEqual(['for both']);
    expect(await names({ q: 'NOTH' })).toEqual(['for nothing']);
    expect(await names({ sort: 'name', limit: 1, offset: 1 })).toEqual(['for both']);
    expect((await list(by)).data[0]).not.toHaveProperty('data');
    for (const stranger of strangersTo(by)) expect((await list(stranger)).data).toEqual([]);
  });

  it('is not found for other tenants', async () => {
    const by = somebody();
    const made = await create(by);
    for (const stranger of strangersTo(by)) {
      for (const refused of [
        read(stranger, made.id),
        update(stranger, made.id, { name: 'Mine' }),
        remove(stranger, made.id),
      ]) {
        await expect(refused).rejects.toMatchObject({ code: 'not_found' });
      }
    }
    expect(await read(by, made.id)).toEqual(made);
  });
});
