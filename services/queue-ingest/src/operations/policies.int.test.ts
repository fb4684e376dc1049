import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  defaultTiers,
  type InputOf,
  type Principal,
  resourceTag,
  updateQueue as updateOperation,
} from '@stanza/contracts';
import { newContext, newId } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { walked } from '@stanza/test-kit/walked';
import { ask, byThree, newQueue, openWorld, pusher, readBatch, rolling, somebody } from '../testing/world.ts';
import { createQueue } from './create-queue.ts';
import { deleteQueue } from './delete-queue.ts';
import { flushQueue } from './flush-queue.ts';
import { getBatch } from './get-batch.ts';
import { getQueue } from './get-queue.ts';
import { listBatches } from './list-batches.ts';
import { listQueues } from './list-queues.ts';
import { updateQueue } from './update-queue.ts';

const page = { limit: 20, offset: 0 };

describe('queue policies', () => {
  const world = sharedByTests(openWorld);
  let principal: Principal;

  beforeEach(() => {
    principal = somebody();
  });

  const byId = (id: string) => ({ params: { id }, query: undefined, body: undefined });
  const read = (id: string, whose = principal) => ask(getQueue(world()), byId(id), whose);
  const change = (id: string, body: InputOf<typeof updateOperation>['body']) =>
    ask(updateQueue(world()), { params: { id }, query: undefined, body }, principal);
  const remove = (id: string) => ask(deleteQueue(world()), byId(id), principal);
  const push = (id: string, events: object[]) => pusher(world())(principal, id, events);

  it('are changed by one of two callers who have read the same', async () => {
    const queue = await newQueue(world(), principal, byThree);
    const ifMatch = resourceTag(queue, updateOperation.entityTag ?? {});
    const changeAsRead = (name: string) =>
      ask(updateQueue(world()), { params: { id: queue.id }, query: undefined, body: { name } }, principal, {
        ...newContext({ deadlineMs: 5_000, principal }),
        ifMatch,
      });
    const outcomes = await Promise.allSettled([changeAsRead('One'), changeAsRead('Other')]);
    expect(outcomes.map((it) => it.status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find((it) => it.status === 'rejected')).toMatchObject({
      reason: { code: 'changed_meanwhile' },
    });
  });

  it('are created with their defaults, and read as answered', async () => {
    const queue = await newQueue(world(), principal, byThree);
    expect(queue).toMatchObject({
      threshold: 3,
      max_wait_seconds: 86_400,
      window_seconds: null,
      is_active: true,
      created_by: principal.actor.user_id,
    });
    expect(await read(queue.id)).toEqual(queue);
  });

  it('are created once per operation', async () => {
    const context = newContext({ deadlineMs: 5_000, principal });
    const create = () =>
      ask(createQueue(world()), { params: undefined, query: undefined, body: byThree }, principal, context);
    const [one, two] = await Promise.all([create(), create()]);
    expect(two).toEqual(one);
  });

  it('are as many as the tier allows, active or not', async () => {
    const own = somebody();
    const stored = { ...defaultTiers.pro.stored, queues: 2 };
    world().tierOf.set(own.organization_id, { ...defaultTiers.pro, stored });
    await newQueue(world(), own, { ...byThree, is_active: false });
    await newQueue(world(), own, byThree);
    await expect(newQueue(world(), own, { ...byThree, is_active: false })).rejects.toMatchObject({
      code: 'tier_limit',
      status: 429,
    });
  });

  it('are live for chats alone, with an interval of their own or 15 seconds', async () => {
    const queue = await newQueue(world(), principal, { ...byThree, live: true });
    expect(queue).toMatchObject({ live: true, live_interval_seconds: 15 });
    expect(await change(queue.id, { live_interval_seconds: 5 })).toMatchObject({ live_interval_seconds: 5 });
    expect(await change(queue.id, { name: 'Other' })).toMatchObject({ live: true, live_interval_seconds: 5 });
    const destination_id = newId();
    world().destinations.add(destination_id);
    await expect(change(queue.id, { destination_id })).rejects.toMatchObject({
      code: 'validation_failed',
      facts: {
        issues: [{ path: ['live'], message: 'is for chats; a destination receives each batch once' }],
      },
    });
    expect(await change(queue.id, { live: false })).toMatchObject({
      live: false,
      live_interval_seconds: null,
    });
    await expect(change(queue.id, { live_interval_seconds: 5 })).rejects.toMatchObject({
      code: 'validation_failed',
      facts: { issues: [{ path: ['live_interval_seconds'], message: 'belongs to a queue with live: true' }] },
    });
    expect(await newQueue(world(), principal, byThree)).toMatchObject({
      live: false,
      live_interval_seconds: null,
    });
  });

  it('refuse an unknown template, and an unknown destination', async () => {
    const missing = newId();
    world().missingTemplates.add(missing);
    await expect(newQueue(world(), principal, { ...byThree, template_id: missing })).rejects.toMatchObject({
      code: 'template_not_found',
    });
    const elsewhere = { ...byThree, channel_id: undefined, destination_id: newId() };
    await expect(newQueue(world(), principal, elsewhere)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('accept an existing destination, with or without a template', async () => {
    const destination_id = newId();
    world().destinations.add(destination_id);
    for (const template_id of [newId(), undefined]) {
      const policy = { ...byThree, channel_id: undefined, destination_id, template_id };
      expect(await newQueue(world(), principal, policy)).toMatchObject({ destination_id, channel_id: null });
    }
  });

  it('answer ids of other tenants like unknown ones', async () => {
    const { id } = await newQueue(world(), principal, byThree);
    for (const stranger of [somebody(), { ...principal, environment: 'preview' as const }]) {
      await expect(read(id, stranger)).rejects.toMatchObject({ code: 'not_found' });
      await expect(ask(deleteQueue(world()), byId(id), stranger)).rejects.toMatchObject({
        code: 'not_found',
      });
      await expect(ask(flushQueue(world()), byId(id), stranger)).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  describe("within the organization's tier", () => {
    it('are refused in a mode outside the tier, unless they are inactive', async () => {
      world().tierOf.set(principal.organization_id, defaultTiers.free);
      await expect(newQueue(world(), principal, rolling)).rejects.toMatchObject({ code: 'invalid_state' });
      const queue = await newQueue(world(), principal, { ...rolling, is_active: false });
      await expect(change(queue.id, { is_active: true })).rejects.toMatchObject({ code: 'invalid_state' });
    });

    it("are limited to the tier's number of active ones, across both environments, under concurrency", async () => {
      world().tierOf.set(principal.organization_id, { ...defaultTiers.pro, active_queues: 2 });
      const preview = { ...principal, environment: 'preview' as const };
      const made = await Promise.allSettled(
        [principal, preview, principal, preview, principal].map((it) => newQueue(world(), it, byThree)),
      );
      expect(made.filter((it) => it.status === 'fulfilled')).toHaveLength(2);
      for (const one of made) {
        if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'invalid_state' });
      }
    });

    it('free a place when they become inactive', async () => {
      world().tierOf.set(principal.organization_id, defaultTiers.free);
      const queue = await newQueue(world(), principal, byThree);
      await expect(newQueue(world(), principal, byThree)).rejects.toMatchObject({ code: 'invalid_state' });
      await change(queue.id, { is_active: false });
      await newQueue(world(), principal, byThree);
    });

    it('are changed in all but mode and use while active in more than a lower tier includes', async () => {
      const queue = await newQueue(world(), principal, rolling);
      await newQueue(world(), principal, byThree);
      world().tierOf.set(principal.organization_id, defaultTiers.free);
      const wanted = { name: 'Other', channel_id: 'C0OTHER', window_seconds: 90 };
      expect(await change(queue.id, { ...wanted, is_active: true })).toMatchObject(wanted);
      const counted = { mode: 'fixed_volume' as const, threshold: 3 };
      expect(await change(queue.id, counted)).toMatchObject(counted);
      const back = change(queue.id, { mode: 'rolling_window', window_seconds: 60 });
      await expect(back).rejects.toMatchObject({ code: 'invalid_state' });
      await change(queue.id, { is_active: false });
      await expect(change(queue.id, { is_active: true })).rejects.toMatchObject({ code: 'invalid_state' });
    });
  });

  describe('when they change', () => {
    it("leave the open batch's policy, and apply to the next one", async () => {
      const queue = await newQueue(world(), principal, byThree);
      await push(queue.id, [{}]);
      await change(queue.id, { threshold: 2 });
      const second = await push(queue.id, [{}]);
      expect(second.batch_status).toBe('collecting');
      expect((await push(queue.id, [{}])).batch_status).toBe('ready');
      await push(queue.id, [{}]);
      expect((await push(queue.id, [{}])).batch_status).toBe('ready');
    });

    it('keep omitted values, and drop those of the previous mode and target', async () => {
      const queue = await newQueue(world(), principal, rolling);
      const renamed = await change(queue.id, { name: 'Other' });
      expect(renamed).toMatchObject({ ...rolling, name: 'Other' });
      const changed = await change(queue.id, {
        mode: 'fixed_volume',
        threshold: 5,
        recipient_email: 'ada@example.com',
      });
      expect(changed).toMatchObject({
        mode: 'fixed_volume',
        threshold: 5,
        window_seconds: null,
        max_window_seconds: null,
        recipient_email: 'ada@example.com',
        channel_id: null,
      });
      expect(await read(queue.id)).toEqual(changed);
    });

    it.each([
      ['threshold', { threshold: 5 }],
      ['window_seconds', { window_seconds: 301 }],
      ['template_id', { template_id: null }],
    ])('are refused where %s does not fit the rest', async (path, body) => {
      const queue = await newQueue(world(), principal, rolling);
      const named = path === 'window_seconds' ? 'max_window_seconds' : path;
      await expect(change(queue.id, body)).rejects.toMatchObject({
        code: 'validation_failed',
        facts: { issues: [{ path: [named] }] },
      });
    });
  });

  it('are listed newest first, by mode and by whether they are active', async () => {
    const first = await newQueue(world(), principal, byThree);
    world().clock.passSeconds(1);
    const second = await newQueue(world(), principal, { ...rolling, is_active: false });
    await newQueue(world(), somebody(), byThree);
    const list = async (query: object) => {
      const input = { params: undefined, query: { ...page, ...query }, body: undefined };
      return (await ask(listQueues(world()), input, principal)).data.map((it) => it.id);
    };
    expect(await list({})).toEqual([second.id, first.id]);
    expect(await list({ mode: 'fixed_volume' })).toEqual([first.id]);
    expect(await list({ is_active: 'false' })).toEqual([second.id]);
  });

  it('are not deleted while a batch is open or in flight, and are hidden afterwards', async () => {
    const queue = await newQueue(world(), principal, byThree);
    await push(queue.id, [{}]);
    await expect(remove(queue.id)).rejects.toMatchObject({ code: 'invalid_state' });
    await ask(flushQueue(world()), byId(queue.id), principal);
    await expect(remove(queue.id)).rejects.toMatchObject({ code: 'invalid_state' });
    await world().rows("update batches set status = 'delivered' where queue_id = $1 returning id", [
      queue.id,
    ]);
    expect(await remove(queue.id)).toEqual({ success: true, id: queue.id });
    await expect(read(queue.id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(push(queue.id, [{}])).rejects.toMatchObject({ code: 'not_found' });
  });

  it('have their key free for another one once they are deleted, also by the previous version', async () => {
    const remade = async () => newQueue(world(), principal, { ...byThree, key: 'deploys' });
    const first = await remade();
    await remove(first.id);
    const second = await remade();
    await expect(remade()).rejects.toMatchObject({ code: 'already_exists' });
    const deletedBefore = 'update queues set deleted_at = now(), is_active = false where id = $1';
    await world().rows(deletedBefore, [second.id]);
    await world().rows(deletedBefore, [second.id]);
    const third = await remade();
    expect(third.key).toBe('deploys');
    expect(await world().rows("select id from queue_keys where key = 'deploys'")).toEqual([{ id: third.id }]);
  });

  it('hand each change to the audit log, in its transaction', async () => {
    const queue = await newQueue(world(), principal, byThree);
    const changed = await change(queue.id, { name: 'Other', description: 'For the team' });
    expect(await change(queue.id, { name: 'Other' })).toEqual(changed);
    const { batch_id } = await push(queue.id, [{}]);
    await ask(flushQueue(world()), byId(queue.id), principal);
    await world().rows("update batches set status = 'delivered' where queue_id = $1 returning id", [
      queue.id,
    ]);
    await remove(queue.id);
    const rows = await world().rows<{ payload: { action: string; changes: object } }>(
      `select payload
       from outbox
       where subject = 'work.organization.record-audit' and payload ->> 'organization_id' = $1
       order by id`,
      [principal.organization_id],
    );
    expect(rows.map((it) => [it.payload.action, it.payload.changes])).toEqual([
      ['queue.created', { name: 'By three', mode: 'fixed_volume' }],
      ['queue.updated', { name: { from: 'By three', to: 'Other' }, description: 'changed' }],
      ['queue.flushed', { batch_id }],
      ['queue.deleted', { name: 'Other' }],
    ]);
  });

  it('show their batches, newest first, each with its events by pages', async () => {
    const queue = await newQueue(world(), principal, byThree);
    const first = await push(queue.id, [{ n: 0 }, { n: 1 }, { n: 2 }]);
    world().clock.passSeconds(1);
    const second = await push(queue.id, [{ n: 3 }]);
    const input = { params: { id: queue.id }, query: page, body: undefined };
    const { data } = await ask(listBatches(world()), input, principal);
    expect(data.map((it) => [it.id, it.status])).toEqual([
      [second.batch_id, 'collecting'],
      [first.batch_id, 'ready'],
    ]);
    const batch = await readBatch(
      world(),
      principal,
      { queueId: queue.id, batchId: first.batch_id },
      { limit: 2, offset: 1 },
    );
    expect(batch.events.map((it) => it.event)).toEqual([{ n: 1 }, { n: 2 }]);
    expect(batch.pagination).toEqual({ limit: 2, offset: 1, total: 3 });
  });

  it('show each batch once by the cursor while others are opened', async () => {
    const queue = await newQueue(world(), principal, byThree);
    const open = () => push(queue.id, [{ n: 0 }, { n: 1 }, { n: 2 }]);
    // All at one moment.
    const opened = [await open(), await open(), await open()].map((it) => it.batch_id);
    const listed = (query: typeof page) =>
      ask(listBatches(world()), { params: { id: queue.id }, query, body: undefined }, principal);
    const newest = (await listed(page)).data.map((it) => it.id);
    expect(newest.toSorted()).toEqual(opened.toSorted());
    expect((await walked(listed, open)).map((it) => it.id)).toEqual(newest);
  });

  it('show event contents to holders of queues:write only', async () => {
    const queue = await newQueue(world(), principal, byThree);
    const { batch_id } = await push(queue.id, [{ secret: 'of the customer' }]);
    const read = (scopes: Principal['scopes']) =>
      ask(
        getBatch(world()),
        { params: { id: queue.id, batch_id }, query: page, body: undefined },
        { ...principal, scopes },
      );
    const [shown, withheld] = [
      await read(['queues:write']),
      await read(['organizations:read', 'queues:read']),
    ];
    expect(shown.events).toMatchObject([{ event: { secret: 'of the customer' } }]);
    const [event] = shown.events;
    expect(withheld).toEqual({ ...shown, events: [{ ...event, event: null }] });
    expect(getBatch(world()).operation.reply.parse(withheld)).toEqual(withheld);
  });
});
