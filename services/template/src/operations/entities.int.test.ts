import { describe, expect, it } from '@jest/globals';
import type {
  createEntityField as creatingField,
  FieldType,
  InputOf,
  Principal,
  updateEntityField as updatingField,
} from '@stanza/contracts';
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
import { createEntity } from './create-entity.ts';
import { createEntityField } from './create-entity-field.ts';
import { createSampleData } from './create-sample-data.ts';
import { deleteEntity } from './delete-entity.ts';
import { deleteEntityField } from './delete-entity-field.ts';
import { getEntity } from './get-entity.ts';
import { listEntities } from './list-entities.ts';
import { updateEntity } from './update-entity.ts';
import { updateEntityField } from './update-entity-field.ts';

describe('entities', () => {
  const world = sharedByTests(openWorld);

  const create = (by: Principal, name: string, context = newContext({ deadlineMs: 5_000, principal: by })) =>
    ask(createEntity(world()), { body: { name } }, by, context);
  const read = (by: Principal, id: string) => ask(getEntity(world()), { params: { id } }, by);
  const update = (by: Principal, id: string, body: { name?: string; description?: string | null }) =>
    ask(updateEntity(world()), { params: { id }, body }, by);
  const remove = (by: Principal, id: string) => ask(deleteEntity(world()), { params: { id } }, by);
  const add = (
    by: Principal,
    id: string,
    body: InputOf<typeof creatingField>['body'],
    context = newContext({ deadlineMs: 5_000, principal: by }),
  ) => ask(createEntityField(world()), { params: { id }, body }, by, context);
  const change = (by: Principal, id: string, field_id: string, body: InputOf<typeof updatingField>['body']) =>
    ask(updateEntityField(world()), { params: { id, field_id }, body }, by);
  const drop = (by: Principal, id: string, field_id: string) =>
    ask(deleteEntityField(world()), { params: { id, field_id } }, by);
  const paths = async (by: Principal, id: string) => (await read(by, id)).fields.map((it) => it.path);
  const actions = async (by: Principal) => (await recordedAudit(world(), by)).map((it) => it.action);

  it('are created, read, changed and deleted, each with an audit entry', async () => {
    const by = somebody();
    const made = await create(by, 'Order');
    expect(made).toEqual({
      id: expect.any(String),
      organization_id: by.organization_id,
      key: 'order',
      name: 'Order',
      description: null,
      created_by: by.actor.user_id,
      created_at: expect.any(String),
      updated_at: made.created_at,
      fields: [],
    });
    expect(await read(by, made.id)).toEqual(made);
    const changed = await update(by, made.id, { description: 'What was bought' });
    expect(changed).toEqual({ ...made, description: 'What was bought', updated_at: expect.any(String) });
    expect(await update(by, made.id, { name: 'Order' })).toEqual(changed);
    expect(await remove(by, made.id)).toEqual({ success: true, id: made.id });
    for (const again of [read(by, made.id), remove(by, made.id), update(by, made.id, {})]) {
      await expect(again).rejects.toMatchObject({ code: 'entity_not_found' });
    }
    expect(await actions(by)).toEqual(['entity.created', 'entity.updated', 'entity.deleted']);
  });

  it('have names that are unique in an environment, ignoring case', async () => {
    const by = somebody();
    await create(by, 'Ärger');
    const other = await create(by, 'Order');
    const taken = { code: 'already_exists', message: expect.stringContaining('"äRGER"') };
    await expect(create(by, 'äRGER')).rejects.toMatchObject(taken);
    await expect(update(by, other.id, { name: 'äRGER' })).rejects.toMatchObject(taken);
    expect((await read(by, other.id)).name).toBe('Order');
    expect(await update(by, other.id, { name: 'ORDER' })).toMatchObject({ name: 'ORDER' });
    expect(await actions(by)).toEqual(['entity.created', 'entity.created', 'entity.updated']);
    for (const stranger of strangersTo(by)) await create(stranger, 'Ärger');
  });

  it('requested twice by one operation, are created once', async () => {
    const by = somebody();
    const context = newContext({ deadlineMs: 5_000, principal: by });
    const [first, ...more] = await Promise.all([1, 2, 3].map(() => create(by, 'Order', context)));
    for (const again of more) expect(again).toEqual(first);
    expect(await actions(by)).toEqual(['entity.created']);
    const field = newContext({ deadlineMs: 5_000, principal: by });
    const id = first?.id ?? '';
    const fields = await Promise.all([1, 2].map(() => add(by, id, { name: 'id', type: 'string' }, field)));
    expect(fields[1]).toEqual(fields[0]);
    expect(await actions(by)).toEqual(['entity.created', 'entity_field.created']);
  });

  it('are listed page by page, by name and by part of the name', async () => {
    const by = somebody();
    for (const name of ['Order', 'customer', 'Invoice']) await create(by, name);
    const list = async (query: object) =>
      ask(listEntities(world()), { query: { limit: 20, offset: 0, sort: '-created_at', ...query } }, by);
    expect((await list({})).data.map((it) => it.name)).toEqual(['Invoice', 'customer', 'Order']);
    expect((await list({ sort: 'name' })).data.map((it) => it.name)).toEqual([
      'customer',
      'Invoice',
      'Order',
    ]);
    expect(await list({ q: 'OR', limit: 1 })).toMatchObject({
      data: [{ name: 'Order' }],
      pagination: { total: 1, limit: 1, offset: 0 },
    });
  });

  describe('have fields', () => {
    const entity = async (by: Principal) => (await create(by, `Order ${newId()}`)).id;
    const field = (name: string, type: FieldType, parent_field_id?: string) => ({
      name,
      type,
      parent_field_id,
    });

    it('that are nested, changed, moved and deleted with those inside them', async () => {
      const by = somebody();
      const id = await entity(by);
      const order = await add(by, id, { ...field('order', 'object'), label: 'The order', required: true });
      expect(order).toMatchObject({ entity_id: id, path: 'order', label: 'The order', required: true });
      const items = await add(by, id, field('items', 'array', order.id.toUpperCase()));
      const price = await add(by, id, field('price', 'number', items.id));
      expect(price.path).toBe('order.items.price');
      expect(await paths(by, id)).toEqual(['order', 'order.items', 'order.items.price']);

      const moved = await change(by, id, items.id, { parent_field_id: null, name: 'lines' });
      expect(moved).toMatchObject({ id: items.id, path: 'lines', parent_field_id: null, type: 'array' });
      expect(await paths(by, id)).toEqual(['order', 'lines', 'lines.price']);
      expect(await change(by, id, items.id.toUpperCase(), { name: 'lines' })).toEqual(moved);
      expect(await drop(by, id, items.id)).toEqual({ success: true, id: items.id });
      expect(await paths(by, id)).toEqual(['order']);
      expect(
        (await recordedAudit(world(), by)).slice(4).map(({ action, changes }) => [action, changes]),
      ).toEqual([
        [
          'entity_field.updated',
          {
            entity_id: id,
            name: { from: 'items', to: 'lines' },
            parent_field_id: { from: order.id, to: null },
          },
        ],
        ['entity_field.deleted', { entity_id: id, name: 'lines', fields_inside: 1 }],
      ]);
    });

    it('of different names beside each other, however many are added concurrently', async () => {
      const by = somebody();
      const id = await entity(by);
      const outcomes = await Promise.allSettled(
        Array.from({ length: 10 }, () => add(by, id, field('total', 'number'))),
      );
      expect(outcomes.filter((it) => it.status === 'fulfilled')).toHaveLength(1);
      for (const it of outcomes) {
        if (it.status === 'rejected') expect(it.reason).toMatchObject({ code: 'already_exists' });
      }
      expect(await paths(by, id)).toEqual(['total']);
    });

    it('that never end up inside themselves, though two are moved concurrently', async () => {
      const by = somebody();
      const id = await entity(by);
      const one = await add(by, id, field('one', 'object'));
      const two = await add(by, id, field('two', 'object'));
      const outcomes = await Promise.allSettled([
        change(by, id, one.id, { parent_field_id: two.id }),
        change(by, id, two.id, { parent_field_id: one.id }),
      ]);
      expect(outcomes.map((it) => it.status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(await paths(by, id)).toHaveLength(2);
    });

    it('and refuse invalid ones, without a trace', async () => {
      const by = somebody();
      const id = await entity(by);
      const other = await entity(by);
      const text = await add(by, id, field('text', 'string'));
      const theirs = await add(by, other, field('theirs', 'object'));
      for (const [refused, code] of [
        [add(by, id, field('a', 'string', theirs.id)), 'field_not_found'],
        [add(by, id, field('a', 'string', newId())), 'field_not_found'],
        [add(by, id, field('a', 'string', text.id)), 'validation_failed'],
        [add(by, newId(), field('a', 'string')), 'entity_not_found'],
        [change(by, id, theirs.id, { name: 'b' }), 'field_not_found'],
        [change(by, id, text.id, { parent_field_id: text.id }), 'validation_failed'],
        [drop(by, id, theirs.id), 'field_not_found'],
        [drop(by, newId(), text.id), 'entity_not_found'],
      ] as const) {
        await expect(refused).rejects.toMatchObject({ code });
      }
      expect(await paths(by, id)).toEqual(['text']);
      expect(await actions(by)).toHaveLength(4);
    });
  });

  it('are not found for other tenants', async () => {
    const by = somebody();
    const { id } = await create(by, 'Order');
    const field = await add(by, id, { name: 'id', type: 'string' });
    const before = await read(by, id);
    for (const stranger of strangersTo(by)) {
      for (const refused of [
        read(stranger, id),
        update(stranger, id, { name: 'Mine' }),
        remove(stranger, id),
        add(stranger, id, { name: 'b', type: 'string' }),
        change(stranger, id, field.id, { name: 'b' }),
        drop(stranger, id, field.id),
      ]) {
        await expect(refused).rejects.toMatchObject({ code: 'entity_not_found' });
      }
    }
    expect(await read(by, id)).toEqual(before);
  });

  describe('referenced by versions', () => {
    it('must exist, and are shown', async () => {
      const by = somebody();
      const { id: entity_id, key: entity_key } = await create(by, 'Order');
      const made = await newTemplate(world(), by, { entity_id: entity_id.toUpperCase() });
      expect(made.version.entity_id).toBe(entity_id);
      const append = (body: object, principal = by) =>
        ask(
          appendTemplateVersion(world()),
          { params: { id: made.id }, body: { blocks: greeting, ...body } },
          principal,
        );
      expect(await append({ entity_id })).toMatchObject({ version_number: 2, entity_id });
      expect(await append({})).toMatchObject({ version_number: 3, entity_id: null });
      for (const unknown of [newId(), (await create(somebody(), 'Order')).id]) {
        await expect(append({ entity_id: unknown })).rejects.toMatchObject({ code: 'entity_not_found' });
        const refused = newTemplate(world(), by, { entity_id: unknown });
        await expect(refused).rejects.toMatchObject({ code: 'entity_not_found' });
      }
      expect(await append({})).toMatchObject({ version_number: 4 });
      // By their keys, too.
      expect(await append({ entity_key })).toMatchObject({ version_number: 5, entity_id });
      expect((await newTemplate(world(), by, { entity_key })).version).toMatchObject({ entity_id });
      for (const refused of [
        append({ entity_key: 'no-such' }),
        newTemplate(world(), by, { entity_key: 'no-such' }),
      ])
        await expect(refused).rejects.toMatchObject({ code: 'entity_not_found' });
    });

    it('stay as long as a version or sample data references them', async () => {
      const by = somebody();
      const { id: entity_id } = await create(by, 'Order');
      await newTemplate(world(), by, { entity_id });
      await ask(createSampleData(world()), { body: { name: 'Some', data: {}, entity_id } }, by);
      await expect(remove(by, entity_id)).rejects.toMatchObject({
        code: 'invalid_state',
        message: expect.stringContaining('1 template version and 1 piece of sample data'),
      });
      expect((await read(by, entity_id)).id).toBe(entity_id);
    });

    it('are either deleted or referenced when both happen concurrently', async () => {
      for (let round = 0; round < 10; round += 1) {
        const by = somebody();
        const { id: entity_id } = await create(by, 'Order');
        const [template, removed] = await Promise.allSettled([
          newTemplate(world(), by, { entity_id }),
          remove(by, entity_id),
        ]);
        expect([template.status, removed.status].sort()).toEqual(['fulfilled', 'rejected']);
        if (template.status === 'rejected')
          expect(template.reason).toMatchObject({ code: 'entity_not_found' });
        if (removed.status === 'rejected') expect(removed.reason).toMatchObject({ code: 'invalid_state' });
      }
    });
  });
});
