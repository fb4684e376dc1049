import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { listEvents } from '@stanza/contracts';
import {
  batchFailed,
  type InputOf,
  metricCatalogue,
  type Principal,
  type recordEvent as work,
} from '@stanza/contracts';
import { newContext, Tenant } from '@stanza/runtime';
import { runJob } from '@stanza/test-kit/service-world';
import { Webhook } from 'standardwebhooks';
import { v7 as uuidv7 } from 'uuid';
import type { Dependencies } from '../dependencies.ts';
import { lockDestination } from '../destinations/store/destinations.ts';
import { deleteDestination } from '../operations/delete-destination.ts';
import { getSigningSecret } from '../operations/get-signing-secret.ts';
import { listEvents as listing } from '../operations/list-events.ts';
import { recordEvent } from '../operations/record-event.ts';
import { retryDelivery } from '../operations/retry-delivery.ts';
import { updateDestination } from '../operations/update-destination.ts';
import { deliverDueNow, deliveriesOf } from '../testing/deliveries.ts';
import { eventsOf, subscribe } from '../testing/events.ts';
import { answer, cut, type Receiver, startReceiver } from '../testing/receiver.ts';
import { ask, connected, openWorld, refusalOf, send, somebody, type World } from '../testing/world.ts';
import { forgetEvents } from './store/events.ts';

const dayMs = 24 * 3_600_000;

describe('events', () => {
  let world: World;
  let dependencies: Dependencies;
  let receiver: Receiver;
  let principal: Principal;

  beforeAll(async () => {
    world = await openWorld();
    dependencies = { ...world, destinations: { ...world.destinations, random: () => 0.5 } };
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    receiver = await startReceiver();
    principal = somebody();
  });
  afterEach(() => receiver.close());

  /** What a queue tells of a batch that has failed. */
  const failedBatch = (batch_id = uuidv7(), attempt = 1): InputOf<typeof work> => ({
    organization_id: principal.organization_id,
    environment: principal.environment,
    type: batchFailed.type,
    subject: batch_id,
    created_at: world.clock.now().toISOString(),
    data: {
      batch_id,
      queue_id: uuidv7(),
      event_count: 2,
      opened_at: '2026-11-21T08:25:00.000Z',
      attempt,
      error: 'insufficient_credits',
    },
  });
  /** Another service tells an event, once or more often. */
  const tell = async (event = failedBatch(), id = uuidv7(), times = 1): Promise<string> => {
    for (let time = 0; time < times; time += 1) await runJob(recordEvent(dependencies), event, id);
    return id;
  };
  const subscribed = () =>
    subscribe(dependencies, principal, ['batch.failed', 'message.sent'], { url: receiver.url });
  const bodies = () => receiver.received.map(({ body }) => JSON.parse(body));
  const counted = async (name: string): Promise<number> => {
    const values = (await world.metrics.registry.getSingleMetric(name)?.get())?.values ?? [];
    return values.reduce((sum, { value }) => sum + value, 0);
  };

  it('an event of another service is recorded once under the id of its outbox row, however often it is delivered', async () => {
    const { destination_id } = await subscribed();
    const id = await tell(failedBatch(), undefined, 3);
    expect(await eventsOf(dependencies, principal)).toMatchObject([{ id, type: 'batch.failed' }]);
    expect(await deliveriesOf(dependencies, principal, destination_id)).toHaveLength(1);
  });

  it('arrive signed, as they are listed', async () => {
    const { destination_id } = await subscribed();
    await tell();
    const before = await counted(metricCatalogue.delivery.eventDeliveries.name);
    await deliverDueNow(dependencies);
    const [request] = receiver.received;
    const { secret } = await ask(
      getSigningSecret(dependencies),
      { params: { id: destination_id } },
      principal,
    );
    const headers = Object.fromEntries(
      ['id', 'timestamp', 'signature'].map((it) => [
        `webhook-${it}`,
        String(request?.headers[`webhook-${it}`]),
      ]),
    );
    expect(new Webhook(secret).verify(request?.body ?? '', headers)).toEqual(
      (await eventsOf(dependencies, principal))[0],
    );
    expect(await counted(metricCatalogue.delivery.eventDeliveries.name)).toBe(before + 1);
  });

  it('of a send arrive as they are listed', async () => {
    principal = await connected(world);
    await subscribed();
    await send(world, principal);
    await deliverDueNow(dependencies);
    expect(bodies()).toEqual(await eventsOf(dependencies, principal));
    expect(bodies()).toMatchObject([{ type: 'message.sent' }]);
  });

  it('are repeated under the same ids until the destination takes them', async () => {
    await subscribed();
    const id = await tell();
    receiver.behave(answer(500), cut, answer(200));
    for (const _ of [1, 2, 3]) {
      await deliverDueNow(dependencies);
      world.clock.jump(60_000);
    }
    expect(receiver.received).toHaveLength(3);
    expect(new Set(bodies().map((it) => it.id))).toEqual(new Set([id]));
    expect(new Set(receiver.received.map((it) => it.headers['webhook-id'])).size).toBe(1);
  });

  it('of one subject arrive in order, and wait for earlier ones; others do not wait', async () => {
    const { destination_id } = await subscribed();
    const batch = uuidv7();
    const ids = [await tell(failedBatch(batch, 1)), await tell(failedBatch(batch, 2))];
    const other = await tell();
    receiver.behave((response, { body }) => {
      const isFirst = JSON.parse(body).id === ids[0] && receiver.received.length <= 2;
      response.writeHead(isFirst ? 503 : 200).end();
    });
    await deliverDueNow(dependencies);
    expect(
      bodies()
        .map((it) => it.id)
        .sort(),
    ).toEqual([ids[0], other].sort());
    const states = await deliveriesOf(dependencies, principal, destination_id);
    expect(states.find((it) => it.origin_id === ids[1])).toMatchObject({ status: 'waiting', attempts: [] });
    for (const _ of [1, 2, 3]) {
      world.clock.jump(60_000);
      await deliverDueNow(dependencies);
    }
    expect(
      bodies()
        .map((it) => it.id)
        .slice(2),
    ).toEqual(ids);
  });

  it('of one subject arrive in the order in which they are recorded, whatever the clock of their producer', async () => {
    await subscribed();
    const batch = uuidv7();
    const late = await tell(failedBatch(batch, 1), uuidv7({ msecs: world.clock.now().getTime() + 60_000 }));
    const early = await tell(failedBatch(batch, 2), uuidv7({ msecs: world.clock.now().getTime() - 60_000 }));
    for (const _ of [1, 2]) {
      await deliverDueNow(dependencies);
      world.clock.jump(60_000);
    }
    expect(bodies().map((it) => it.id)).toEqual([late, early]);
  });

  it('of one subject arrive in the order in which they happened, though the call of the first comes after the second', async () => {
    await subscribed();
    const batch = uuidv7();
    const [first, second] = [uuidv7(), uuidv7()];
    const before = failedBatch(batch, 1);
    await tell({ ...failedBatch(batch, 2), earlier: [{ id: first, event: before }] }, second);
    await tell(before, first);
    for (const _ of [1, 2]) {
      await deliverDueNow(dependencies);
      world.clock.jump(60_000);
    }
    expect(bodies().map((it) => it.id)).toEqual([first, second]);
  });

  it('of one subject go on after an earlier one that has failed for good', async () => {
    const { destination_id } = await subscribed();
    const batch = uuidv7();
    const ids = [await tell(failedBatch(batch, 1)), await tell(failedBatch(batch, 2))];
    receiver.behave(answer(400), answer(200));
    for (const _ of [1, 2]) {
      await deliverDueNow(dependencies);
      world.clock.jump(60_000);
    }
    expect(bodies().map((it) => it.id)).toEqual(ids);
    const failed = (await deliveriesOf(dependencies, principal, destination_id)).find(
      (it) => it.status === 'failed',
    );
    // The dead letter is replayed under its id.
    const params = { id: destination_id, delivery_id: failed?.id ?? '' };
    await ask(retryDelivery(dependencies), { params }, principal);
    await deliverDueNow(dependencies);
    expect(bodies().at(-1)).toMatchObject({ id: ids[0] });
  });

  it('have a day of their own for an inactive destination, however long they waited for an earlier one', async () => {
    const { destination_id } = await subscribed();
    const params = { id: destination_id };
    const change = (body: object) =>
      ask(updateDestination(dependencies), { params, body: { ...body } }, principal);
    const [most, strategy] = [2 * dayMs, 'fixed'];
    await change({ retry_strategy: strategy, retry_initial_delay_ms: most, retry_max_delay_ms: most });
    const batch = uuidv7();
    const ids = [await tell(failedBatch(batch, 1)), await tell(failedBatch(batch, 2))];
    receiver.behave(answer(503), answer(200));
    await deliverDueNow(dependencies);
    world.clock.jump(1.2 * dayMs);
    await deliverDueNow(dependencies);
    await change({ is_active: false });
    world.clock.jump(0.2 * dayMs);
    await deliverDueNow(dependencies);
    const states = await deliveriesOf(dependencies, principal, destination_id);
    expect(states.find((it) => it.origin_id === ids[1])).toMatchObject({ status: 'waiting', attempts: [] });
    await change({ is_active: true });
    for (const _ of ids) {
      world.clock.jump(dayMs);
      await deliverDueNow(dependencies);
    }
    expect(bodies().map((it) => it.id)).toEqual([ids[0], ...ids]);
  });

  it('are recorded while their destination is edited', async () => {
    const { destination_id } = await subscribed();
    await world.database.transaction(async (tx) => {
      await lockDestination(Tenant.of(principal), tx, destination_id);
      await tell();
    });
    expect(await deliveriesOf(dependencies, principal, destination_id)).toHaveLength(1);
  });

  it('keep their destination from being deleted while a subscription names it', async () => {
    const { id, destination_id } = await subscribed();
    const removing = () =>
      ask(deleteDestination(dependencies), { params: { id: destination_id } }, principal);
    expect(await refusalOf(removing())).toMatchObject({
      code: 'invalid_state',
      message: expect.stringContaining(id),
    });
    await world.rows('delete from event_subscriptions where id = $1', [id]);
    expect(await removing()).toMatchObject({ success: true });
  });

  const page = (query: Partial<InputOf<typeof listEvents>['query']>) =>
    ask(listing(dependencies), { query: { count: 100, ...query } }, principal);

  it('are listed newest first in pages that new events do not shift', async () => {
    await subscribed();
    const ids: string[] = [];
    for (const _ of [1, 2, 3, 4, 5]) ids.unshift(await tell());
    const first = await page({ count: 2 });
    await tell();
    const second = await page({ count: 2, cursor: first.next_cursor ?? '' });
    const third = await page({ count: 2, cursor: second.next_cursor ?? '' });
    expect([first, second, third].flatMap(({ data }) => data.map(({ id }) => id))).toEqual(ids);
    expect(third.next_cursor).toBeNull();
  });

  it('are listed by type and time', async () => {
    principal = await connected(world);
    await subscribed();
    const context = newContext({ deadlineMs: 15_000 + world.clock.ahead, principal });
    await send(world, principal, undefined, context);
    const start = world.clock.now();
    world.clock.jump(60_000);
    const id = await tell();
    const from = new Date(start.getTime() + 30_000).toISOString();
    const idsOf = async (query: Parameters<typeof page>[0]) => (await page(query)).data.map((it) => it.id);
    expect(await idsOf({ type: 'batch.failed' })).toEqual([id]);
    expect(await idsOf({ from })).toEqual([id]);
    expect(await idsOf({ type: 'message.sent', from })).toEqual([]);
    expect((await page({ to: from })).data).toMatchObject([{ type: 'message.sent' }]);
  });

  it('are forgotten after their days, with no others', async () => {
    await subscribed();
    await tell();
    world.clock.jump(31 * dayMs);
    const id = await tell();
    await forgetEvents(dependencies.database, 30);
    expect(await eventsOf(dependencies, principal)).toMatchObject([{ id }]);
  });

  it('of an organization are read and received by nobody else', async () => {
    await subscribed();
    const stranger = somebody();
    const { destination_id } = await subscribe(dependencies, stranger);
    await tell();
    expect(await eventsOf(dependencies, stranger)).toEqual([]);
    expect(await eventsOf(dependencies, { ...principal, environment: 'preview' })).toEqual([]);
    expect(await deliveriesOf(dependencies, stranger, destination_id)).toEqual([]);
  });
});
