import { describe, expect, it } from '@jest/globals';
import { limits, type Principal } from '@stanza/contracts';
import { newContext } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { v7 as uuidv7 } from 'uuid';
import { newDestination } from '../testing/deliveries.ts';
import { eventsOf, subscribe } from '../testing/events.ts';
import { ask, connected, openWorld, refusalOf, send, somebody } from '../testing/world.ts';
import { createEventSubscription } from './create-event-subscription.ts';
import { deleteEventSubscription } from './delete-event-subscription.ts';
import { getEventSubscription } from './get-event-subscription.ts';
import { listEventSubscriptions } from './list-event-subscriptions.ts';
import { updateEventSubscription } from './update-event-subscription.ts';

describe('subscriptions to events', () => {
  const world = sharedByTests(openWorld);

  const create = (
    principal: Principal,
    body: object,
    context = newContext({ deadlineMs: 15_000, principal }),
  ) =>
    ask(
      createEventSubscription(world()),
      { body: { types: ['message.sent'], is_active: true, ...body } },
      principal,
      context,
    );
  const read = (principal: Principal, id: string) =>
    ask(getEventSubscription(world()), { params: { id } }, principal);
  const change = (principal: Principal, id: string, body: object) =>
    ask(updateEventSubscription(world()), { params: { id }, body }, principal);
  const remove = (principal: Principal, id: string) =>
    ask(deleteEventSubscription(world()), { params: { id } }, principal);
  const list = (principal: Principal, query: object = {}) =>
    ask(listEventSubscriptions(world()), { query: { limit: 20, offset: 0, ...query } }, principal);
  const audited = async ({ organization_id }: Principal): Promise<string[]> => {
    const rows = await world().rows<{ action: string }>(
      `select payload ->> 'action' as action
       from outbox
       where subject = 'work.organization.record-audit' and payload ->> 'organization_id' = $1
         and payload ->> 'action' like 'event_subscription.%'
       order by id`,
      [organization_id],
    );
    return rows.map((row) => row.action);
  };

  it('are made, read, changed and deleted, with a line of the audit log each', async () => {
    const principal = somebody();
    const { id: destination_id } = await newDestination(world(), principal, {});
    const made = await create(principal, { destination_id, description: 'Pages us' });
    expect(made).toMatchObject({
      destination_id,
      types: ['message.sent'],
      description: 'Pages us',
      is_active: true,
    });
    expect(await read(principal, made.id)).toEqual(made);
    const changed = await change(principal, made.id, { types: ['message.failed'], is_active: false });
    expect(changed).toMatchObject({ types: ['message.failed'], is_active: false, description: 'Pages us' });
    expect(await change(principal, made.id, { is_active: false })).toEqual(changed);
    expect(await list(principal)).toMatchObject({ data: [changed], pagination: { total: 1 } });
    expect(await remove(principal, made.id)).toEqual({ success: true, id: made.id });
    expect(await refusalOf(read(principal, made.id))).toMatchObject({ code: 'not_found' });
    expect(await audited(principal)).toEqual(
      ['created', 'updated', 'deleted'].map((it) => `event_subscription.${it}`),
    );
  });

  it('name their destination by its key, too', async () => {
    const principal = somebody();
    const { id: destination_id } = await newDestination(world(), principal, { key: 'on-call' });
    const made = await create(principal, { destination_key: 'on-call' });
    expect(made).toMatchObject({ destination_id });
    const other = await newDestination(world(), principal, { key: 'tickets' });
    expect(await change(principal, made.id, { destination_key: 'tickets' })).toMatchObject({
      destination_id: other.id,
    });
    const idsAt = async (destination_key: string, more: object = {}) =>
      (await list(principal, { destination_key, ...more })).data.map(({ id }) => id);
    expect(await idsAt('tickets', { destination_id })).toEqual([]);
    expect([await idsAt('tickets'), await idsAt('on-call'), await idsAt('nothing')]).toEqual([
      [made.id],
      [],
      [],
    ]);
    expect(await refusalOf(create(principal, { destination_key: 'nothing' }))).toMatchObject({
      code: 'not_found',
    });
  });

  it('are made, and hand on more, only for callers who may read events', async () => {
    const principal = somebody();
    const { id: destination_id } = await newDestination(world(), principal, {});
    const { id } = await create(principal, { destination_id, types: ['message.sent', 'message.failed'] });
    const blind: Principal = { ...principal, scopes: ['destinations:write'] };
    const refusal = {
      code: 'insufficient_scope',
      facts: { required_scopes: expect.arrayContaining(['usage:read']) },
    };
    expect(await refusalOf(create(blind, { destination_id }))).toMatchObject(refusal);
    expect(await refusalOf(change(blind, id, { types: ['credits.low'] }))).toMatchObject(refusal);
    // Less is no secret of anybody's.
    const less = { types: ['message.failed'], is_active: false };
    expect(await change(blind, id, less)).toMatchObject(less);
    expect(await refusalOf(change(blind, id, { is_active: true }))).toMatchObject(refusal);
  });

  it('are made once by an operation that runs twice', async () => {
    const principal = somebody();
    const { id: destination_id } = await newDestination(world(), principal, {});
    const context = newContext({ deadlineMs: 15_000, principal });
    const [one, other] = await Promise.all([
      create(principal, { destination_id }, context),
      create(principal, { destination_id }, context),
    ]);
    expect(other).toEqual(one);
    expect(await audited(principal)).toHaveLength(1);
  });

  it('are listed newest first, by destination and type', async () => {
    const principal = somebody();
    const one = await subscribe(world(), principal, ['message.sent', 'batch.failed']);
    world().clock.jump(1_000);
    const other = await subscribe(world(), principal, ['credits.low']);
    const idsOf = async (query: object) => (await list(principal, query)).data.map(({ id }) => id);
    expect(await idsOf({})).toEqual([other.id, one.id]);
    expect(await idsOf({ limit: 1, offset: 1 })).toEqual([one.id]);
    expect(await idsOf({ type: 'batch.failed' })).toEqual([one.id]);
    expect(await idsOf({ destination_id: other.destination_id })).toEqual([other.id]);
  });

  it('are bounded in number, also for requests that come at one time', async () => {
    const principal = somebody();
    const { id: destination_id } = await newDestination(world(), principal, {});
    await world().rows(
      `insert into event_subscriptions (organization_id, environment, id, operation_id, destination_id, types, is_active,
         created_by, created_at, updated_at)
       select $1, 'production', gen_random_uuid(), gen_random_uuid(), $2, '{message.sent}', true, 'somebody', now(), now()
       from generate_series(1, ${limits.eventSubscriptions - 1})`,
      [principal.organization_id, destination_id],
    );
    const made = await Promise.allSettled([1, 2, 3].map(() => create(principal, { destination_id })));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await refusalOf(create(principal, { destination_id }))).toMatchObject({ code: 'invalid_state' });
  });

  it('are invisible to others, and reach no destination of others', async () => {
    const principal = somebody();
    const made = await subscribe(world(), principal);
    const preview: Principal = { ...principal, environment: 'preview' };
    for (const stranger of [somebody(), preview]) {
      for (const asking of [
        read(stranger, made.id),
        change(stranger, made.id, { is_active: false }),
        remove(stranger, made.id),
        create(stranger, { destination_id: made.destination_id }),
      ])
        expect(await refusalOf(asking)).toMatchObject({ code: 'not_found' });
      expect(await list(stranger)).toMatchObject({ data: [], pagination: { total: 0 } });
      const own = await subscribe(world(), stranger);
      expect(
        await refusalOf(change(stranger, own.id, { destination_id: made.destination_id })),
      ).toMatchObject({ code: 'not_found' });
    }
    expect(await refusalOf(create(principal, { destination_id: uuidv7() }))).toMatchObject({
      code: 'not_found',
    });
  });

  it('get events from when they are active until they are not', async () => {
    const principal = await connected(world());
    await send(world(), principal);
    const { id } = await subscribe(world(), principal, ['message.sent']);
    await send(world(), principal);
    await change(principal, id, { is_active: false });
    await send(world(), principal);
    await change(principal, id, { is_active: true });
    await send(world(), principal);
    expect(await eventsOf(world(), principal)).toHaveLength(2);
  });
});
