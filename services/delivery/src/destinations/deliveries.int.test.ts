import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  CodedError,
  type Delivery,
  getOrganizationStatus,
  limits,
  metricCatalogue,
  type Principal,
} from '@stanza/contracts';
import { Tenant } from '@stanza/runtime';
import { runJob } from '@stanza/test-kit/service-world';
import { waitFor } from '@stanza/test-kit/wait';
import { walked } from '@stanza/test-kit/walked';
import { Webhook } from 'standardwebhooks';
import { v7 as uuidv7 } from 'uuid';
import type { Dependencies } from '../dependencies.ts';
import { measureWaiting } from '../jobs/measure-waiting.ts';
import { createDeferredSender } from '../messages/jobs/deferred-sends.ts';
import { orderBatch } from '../messages/origins/batch.ts';
import { deleteDestination } from '../operations/delete-destination.ts';
import { deliverBatch } from '../operations/deliver-batch.ts';
import { getDestination } from '../operations/get-destination.ts';
import { getSigningSecret } from '../operations/get-signing-secret.ts';
import { retryDelivery } from '../operations/retry-delivery.ts';
import { rotateSigningSecret } from '../operations/rotate-signing-secret.ts';
import { testDestination } from '../operations/test-destination.ts';
import { updateDestination } from '../operations/update-destination.ts';
import {
  type DestinationBody,
  deliverDueNow,
  deliveriesOf,
  newDestination,
  order,
  pageOfDeliveries,
} from '../testing/deliveries.ts';
import { answer, cut, keepSilent, type Receiver, startReceiver } from '../testing/receiver.ts';
import { twoEvents } from '../testing/services.ts';
import { ask, openWorld, refusalOf, somebody, type World } from '../testing/world.ts';
import { createDestinationDeliverer } from './jobs/destination-deliveries.ts';
import { orderDelivery } from './order-delivery.ts';
import { forgetDeliveries } from './store/deliveries.ts';

/** Jitter in the middle changes nothing. */
const middle = 0.5;

describe('deliveries to destinations', () => {
  let world: World;
  let dependencies: Dependencies;
  let receiver: Receiver;
  let principal: Principal;
  let id: string;

  beforeAll(async () => {
    world = await openWorld();
    dependencies = { ...world, destinations: { ...world.destinations, random: () => middle } };
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    receiver = await startReceiver();
    principal = somebody();
  });
  afterEach(() => receiver.close());

  const create = async (body: Partial<DestinationBody> = {}): Promise<void> => {
    ({ id } = await newDestination(dependencies, principal, { url: receiver.url, ...body }));
  };
  const begin = async (body?: Partial<DestinationBody>): Promise<void> => {
    await create(body);
    await order(dependencies, principal, id);
    await deliverDueNow(dependencies);
  };
  const only = async (): Promise<Delivery> => {
    const [delivery, ...others] = await deliveriesOf(dependencies, principal, id);
    if (!delivery || others.length > 0) throw new Error(`there are ${others.length} others`);
    return delivery;
  };
  /** Goes on to the moment of the next attempt and makes it; answers how long the wait was, in seconds. */
  const next = async (): Promise<number> => {
    const { next_attempt_at, updated_at } = await only();
    const due = Date.parse(next_attempt_at ?? '');
    world.clock.jump(due - world.clock.now().getTime());
    await deliverDueNow(dependencies);
    return (due - Date.parse(updated_at)) / 1_000;
  };
  const destination = () => ask(getDestination(dependencies), { params: { id } }, principal);
  const retry = (delivery_id: string) =>
    ask(retryDelivery(dependencies), { params: { id, delivery_id } }, principal);

  it('are one signed request with the headers of the destination', async () => {
    await begin({ headers: { Authorization: 'Bearer t0ps3cret', 'X-Team': 'red' }, auth_type: 'bearer' });
    const [request] = receiver.received;
    expect(request).toMatchObject({
      method: 'POST',
      path: '/hooks?tenant=a',
      headers: { authorization: 'Bearer t0ps3cret', 'x-team': 'red', 'content-type': 'application/json' },
      body: '{"clicked":"approve"}',
    });
    const delivery = await only();
    expect(delivery).toMatchObject({
      status: 'delivered',
      attempts: [{ number: 1, outcome: 'delivered', http_status: 200, response: 'thank you' }],
    });
    expect(request?.headers['webhook-id']).toBe(delivery.id);
  });

  it('are counted while they wait', async () => {
    const counted = async () => {
      await measureWaiting(world)();
      const { values } = await world.metrics.gauge(metricCatalogue.delivery.deliveriesWaiting).get();
      return values[0]?.value;
    };
    const before = await counted();
    await create();
    await order(dependencies, principal, id);
    expect(await counted()).toBe((before ?? 0) + 1);
  });

  it('carry no header to another origin than that for which it was given, also when they were ordered before', async () => {
    const elsewhere = await startReceiver();
    receiver.behave(answer(400));
    const headers = { Authorization: 'Bearer t0ps3cret', 'X-Team': 'red' };
    await begin({ headers, auth_type: 'bearer', retry_enabled: false });
    const failed = await only();
    await order(dependencies, principal, id);
    await ask(updateDestination(dependencies), { params: { id }, body: { url: elsewhere.url } }, principal);
    await retry(failed.id);
    await deliverDueNow(dependencies);
    await ask(
      testDestination(dependencies),
      { params: { id }, body: { payload: { type: 'test' } } },
      principal,
    );
    expect(receiver.received).toHaveLength(1);
    expect(elsewhere.received).toHaveLength(3);
    for (const request of elsewhere.received) {
      expect(request.headers).not.toHaveProperty('authorization');
      expect(request.headers).not.toHaveProperty('x-team');
    }
    await elsewhere.close();
  });

  it('are signed so that a Standard Webhooks library takes them, and with the older secret for a day', async () => {
    await create();
    const first = await ask(getSigningSecret(dependencies), { params: { id } }, principal);
    // Its answer is lost, so that it is asked for again: receivers have the first secret.
    const lost = await ask(rotateSigningSecret(dependencies), { params: { id } }, principal);
    const second = await ask(rotateSigningSecret(dependencies), { params: { id } }, principal);
    expect(second.previous_secret).toBe(lost.secret);
    await order(dependencies, principal, id);
    await deliverDueNow(dependencies);
    const [request] = receiver.received;
    const signed = {
      'webhook-id': String(request?.headers['webhook-id']),
      'webhook-timestamp': String(request?.headers['webhook-timestamp']),
      'webhook-signature': String(request?.headers['webhook-signature']),
    };
    for (const { secret } of [first, lost, second]) {
      // The library compares with the time of day, and tests jump ahead of it.
      const at = new Date(Number(signed['webhook-timestamp']) * 1_000);
      expect(signed['webhook-signature'].split(' ')).toContain(
        new Webhook(secret).sign(signed['webhook-id'], at, request?.body ?? ''),
      );
    }
  });

  it('are tried after exactly the delays of the strategy, under the same webhook-id', async () => {
    receiver.behave(answer(500), answer(503), cut, answer(200));
    await begin();
    expect(await only()).toMatchObject({ status: 'waiting', error: 'destination_failed' });
    expect([await next(), await next(), await next()]).toEqual([1, 2, 4]);
    const delivery = await only();
    expect(delivery.status).toBe('delivered');
    expect(delivery.attempts.map((it) => it.outcome)).toEqual(['refused', 'refused', 'lost', 'delivered']);
    expect(new Set(receiver.received.map((it) => it.headers['webhook-id']))).toEqual(new Set([delivery.id]));
  });

  it('wait as long as the destination asks, up to the maximum', async () => {
    receiver.behave(
      answer(429, '', { 'retry-after': '7' }),
      answer(503, '', { 'retry-after': '4000' }),
      answer(204),
    );
    await begin();
    expect([await next(), await next()]).toEqual([7, 30]);
    expect(await only()).toMatchObject({ status: 'delivered' });
  });

  it.each([400, 401, 404, 410, 301, 307])('are not retried after an answer of %d', async (status) => {
    receiver.behave(answer(status, 'no', { location: 'http://169.254.169.254/' }));
    await begin();
    expect(await only()).toMatchObject({ status: 'failed', error: 'destination_failed' });
    expect(receiver.received).toHaveLength(1);
  });

  it('that fail at every attempt become dead letters, which one call replays', async () => {
    receiver.behave(answer(500));
    await begin({ max_retries: 2, retry_strategy: 'fixed' });
    expect([await next(), await next()]).toEqual([1, 1]);
    const dead = await only();
    expect(dead).toMatchObject({ status: 'failed', error: 'destination_failed' });
    expect(dead.attempts).toHaveLength(3);
    receiver.behave(answer(500), answer(200));
    expect(await retry(dead.id)).toMatchObject({ status: 'waiting' });
    await deliverDueNow(dependencies);
    expect(await next()).toBe(1);
    expect(await only()).toMatchObject({ id: dead.id, status: 'delivered' });
    expect(await refusalOf(retry(dead.id))).toMatchObject({ code: 'invalid_state' });
  });

  it('without retries are made once, and a lost answer leaves them unknown', async () => {
    receiver.behave(keepSilent);
    await begin({ retry_enabled: false });
    expect(await only()).toMatchObject({
      status: 'unknown',
      error: 'delivery_outcome_unknown',
      attempts: [{ outcome: 'lost', error: 'timeout' }],
    });
    receiver.behave(answer(500));
    await order(dependencies, principal, id);
    await deliverDueNow(dependencies);
    expect((await deliveriesOf(dependencies, principal, id))[0]).toMatchObject({ status: 'failed' });
  });

  describe('of a process that died over them', () => {
    /** Leaves an attempt behind that nobody ends. */
    const leave = async (body: Partial<DestinationBody>): Promise<void> => {
      await create(body);
      await order(dependencies, principal, id);
      const dying = {
        ...dependencies.destinations.transport,
        send: () => Promise.reject(new Error('killed')),
      };
      const transport = Object.assign(Object.create(dependencies.destinations.transport), dying);
      await deliverDueNow({ ...dependencies, destinations: { ...dependencies.destinations, transport } });
      await deliverDueNow(dependencies);
      expect(receiver.received).toEqual([]);
      world.clock.jump(80_000);
      await deliverDueNow(dependencies);
    };

    it('go on with retries', async () => {
      await leave({});
      expect(await only()).toMatchObject({
        status: 'waiting',
        attempts: [{ outcome: 'lost', error: 'abandoned' }],
      });
      await next();
      expect(await only()).toMatchObject({ status: 'delivered' });
    });

    it('are unknown without retries', async () => {
      await leave({ retry_enabled: false });
      expect(await only()).toMatchObject({ status: 'unknown' });
      expect(receiver.received).toEqual([]);
    });
  });

  it('are one delivery when they are ordered twice by one operation', async () => {
    await create();
    const tenant = new Tenant(principal.organization_id, principal.environment);
    const facts = {
      destinationId: id,
      operationId: uuidv7(),
      origin: 'interaction',
      originId: uuidv7(),
    } as const;
    const ordered = () =>
      dependencies.database.transaction((tx) => orderDelivery(tenant, tx, { ...facts, payload: {} }));
    const [one, two] = await Promise.all([ordered(), ordered()]);
    expect(two).toBe(one);
    await deliverDueNow(dependencies);
    expect(receiver.received.map((it) => it.headers['webhook-id'])).toEqual([one]);
  });

  it('are listed once by the cursor while others are ordered', async () => {
    await create();
    const add = () => order(dependencies, principal, id);
    for (let count = 0; count < 3; count += 1) await add();
    const newest = await deliveriesOf(dependencies, principal, id);
    expect(newest).toHaveLength(3);
    const listed = (query: object) => pageOfDeliveries(dependencies, principal, id, query);
    expect(await walked(listed, add)).toEqual(newest);
  });

  it('Deliveries are listed with their latest attempts, so that a page of many retries fits an answer', async () => {
    await create();
    await order(dependencies, principal, id);
    const { id: retried } = await only();
    await world.rows(
      `insert into delivery_attempts (organization_id, environment, delivery_id, number, outcome, started_at)
       select $1, $2, $3, number, 'refused', now()
       from generate_series(1, $4::integer + 5) as number`,
      [principal.organization_id, principal.environment, retried, limits.deliveryAttempts],
    );
    const { attempts } = await only();
    expect(attempts).toHaveLength(limits.deliveryAttempts);
    expect([attempts[0]?.number, attempts.at(-1)?.number]).toEqual([6, limits.deliveryAttempts + 5]);
  });

  it('are deleted with their attempts past their retention, and not before', async () => {
    await begin();
    receiver.behave(answer(500));
    await order(dependencies, principal, id);
    await deliverDueNow(dependencies);
    const day = 24 * 3_600_000;
    world.clock.jump(29 * day);
    await forgetDeliveries(dependencies.database, 30);
    expect(await deliveriesOf(dependencies, principal, id)).toHaveLength(2);
    world.clock.jump(2 * day);
    await forgetDeliveries(dependencies.database, 30);
    expect(await only()).toMatchObject({ status: 'waiting' });
  });

  it('are made by one of several processes', async () => {
    await create();
    for (let made = 0; made < 12; made += 1) await order(dependencies, principal, id);
    await Promise.all([
      deliverDueNow(dependencies),
      deliverDueNow(dependencies),
      deliverDueNow(dependencies),
    ]);
    await deliverDueNow(dependencies);
    expect(receiver.received).toHaveLength(12);
    expect(new Set(receiver.received.map((it) => it.headers['webhook-id'])).size).toBe(12);
  });

  it('to slow destinations of one organization leave places for those of another', async () => {
    const held: (() => void)[] = [];
    receiver.behave((response) => void held.push(() => response.end()));
    const slow = await Promise.all(
      Array.from({ length: 18 }, () =>
        newDestination(dependencies, principal, { url: receiver.url, timeout_ms: 60_000 }),
      ),
    );
    for (const destination of slow)
      for (let made = 0; made < 6; made += 1) await order(dependencies, principal, destination.id);
    const deliverer = createDestinationDeliverer(dependencies);
    await deliverer.begin();
    await waitFor('the slow deliveries to be under way', async () => receiver.received.length === 32);
    const byDestination = Map.groupBy(deliverer.underWay, (row) => row.destination_id);
    expect(Math.max(...[...byDestination.values()].map((rows) => rows.length))).toBeLessThanOrEqual(4);

    const neighbour = somebody();
    const quick = await startReceiver();
    const { id: quickId } = await newDestination(dependencies, neighbour, { url: quick.url });
    await order(dependencies, neighbour, quickId);
    await deliverer.begin();
    await waitFor('the delivery of the neighbour', async () => quick.received.length === 1);
    expect(receiver.received).toHaveLength(32);
    receiver.behave(answer(200));
    for (const end of held) end();
    await deliverer.settled();
    expect(receiver.received).toHaveLength(18 * 6);
    await quick.close();
  });

  it('make a destination inactive that fails for too long, and say so in the audit log', async () => {
    receiver.behave(answer(500));
    await begin({ max_retries: 10, retry_strategy: 'fixed' });
    for (let more = 0; more < 4; more += 1) await next();
    expect(await destination()).toMatchObject({
      is_active: false,
      consecutive_failures: 5,
      disabled_at: expect.any(String),
    });
    const lines = await world.rows<{ payload: object }>(
      `select payload from outbox where payload ->> 'action' = 'destination.disabled'
         and payload ->> 'organization_id' = $1`,
      [principal.organization_id],
    );
    expect(lines).toMatchObject([{ payload: { actor: { type: 'system' }, subject: { id } } }]);

    await next();
    const held = await only();
    expect(held).toMatchObject({ status: 'waiting', error: 'invalid_state' });
    expect(held.attempts).toHaveLength(5);
    await ask(updateDestination(dependencies), { params: { id }, body: { is_active: true } }, principal);
    receiver.behave(answer(200));
    await deliverDueNow(dependencies);
    const delivered = await only();
    expect([delivered.status, delivered.attempts.length]).toEqual(['delivered', 6]);
    const working = await destination();
    expect(working).toMatchObject({ is_active: true, consecutive_failures: 0 });
    expect(working).not.toHaveProperty('disabled_at');
  });

  it('wait for an inactive destination without an attempt, and fail when their time is over', async () => {
    await create();
    await ask(updateDestination(dependencies), { params: { id }, body: { is_active: false } }, principal);
    await order(dependencies, principal, id);
    await deliverDueNow(dependencies);
    world.clock.jump(23 * 3_600_000);
    await deliverDueNow(dependencies);
    const held = await only();
    expect(held).toMatchObject({ status: 'waiting', attempts: [], error: 'invalid_state' });
    expect(held).not.toHaveProperty('next_attempt_at');
    world.clock.jump(2 * 3_600_000);
    await deliverDueNow(dependencies);
    const dead = await only();
    expect(dead).toMatchObject({ status: 'failed', attempts: [], error: 'invalid_state' });
    expect(await refusalOf(retry(dead.id))).toMatchObject({ code: 'invalid_state' });
  });

  it('make a destination inactive that answers 410, and the others wait', async () => {
    receiver.behave(answer(410));
    await create();
    await order(dependencies, principal, id);
    await deliverDueNow(dependencies);
    expect(await only()).toMatchObject({ status: 'failed', error: 'destination_failed' });
    expect(await destination()).toMatchObject({ is_active: false, disabled_at: expect.any(String) });
  });

  it('Deliveries of a suspended organization are not sent, and wait while its status is unknown', async () => {
    const { answers } = world.others;
    receiver.behave(answer(500), answer(200));
    await begin();
    answers.failing.set(getOrganizationStatus.id, new CodedError('service_unavailable'));
    await next();
    expect(await only()).toMatchObject({ status: 'waiting', error: 'service_unavailable' });
    answers.failing.delete(getOrganizationStatus.id);
    answers.organization = { status: 'suspended' };
    await next();
    answers.organization = { status: 'active' };
    const dead = await only();
    expect(dead).toMatchObject({ status: 'failed', error: 'access_denied', attempts: [{ number: 1 }] });
    expect(receiver.received).toHaveLength(1);
    await retry(dead.id);
    await deliverDueNow(dependencies);
    expect(await only()).toMatchObject({ status: 'delivered' });
  });

  it('leave a destination active whose address has changed since their attempt began', async () => {
    const moved = { params: { id: '' }, body: { url: `${receiver.url}&moved` } };
    const changed: unknown[] = [];
    receiver.behave(answer(500), (response) => {
      const change = ask(updateDestination(dependencies), moved, principal).then((it) => changed.push(it));
      void change.finally(() => response.writeHead(410).end());
    });
    await create();
    moved.params.id = id;
    for (const _ of ['500', '410']) {
      await order(dependencies, principal, id);
      await deliverDueNow(dependencies);
    }
    expect(changed).toMatchObject([{ consecutive_failures: 0 }]);
    expect(await destination()).toMatchObject({ is_active: true, consecutive_failures: 0 });
  });

  it('are not sent to a host that fails too often, and use no attempt meanwhile', async () => {
    receiver.behave(answer(500));
    await create({ max_retries: 0 });
    for (let made = 0; made < 10; made += 1) await order(dependencies, principal, id);
    // Fewer failures in a row than make it inactive.
    const patient = { ...dependencies, destinations: { ...dependencies.destinations, disableAfter: 1_000 } };
    await deliverDueNow(patient);
    await deliverDueNow(patient);
    expect(await destination()).toMatchObject({ breaker: 'open' });
    await order(dependencies, principal, id);
    await deliverDueNow(patient);
    const [waiting] = await deliveriesOf(dependencies, principal, id);
    expect(waiting).toMatchObject({ status: 'waiting', error: 'service_unavailable', attempts: [] });
    expect(receiver.received).toHaveLength(10);
    // Another organization's hook at the same host is none the worse for it.
    const neighbour = await newDestination(patient, somebody(), { url: receiver.url });
    expect(neighbour).toMatchObject({ breaker: 'closed' });
  });

  it('are kept with the beginning of the answer, in which no secret comes back', async () => {
    const headers = { Authorization: `Basic ${Buffer.from('robot:p4ssw0rd').toString('base64')}` };
    receiver.behave((response, request) => {
      const { authorization } = request.headers;
      response.writeHead(500).end(`You sent ${authorization}, p4ssw0rd\u0000! ${'x'.repeat(100_000)}`);
    });
    await begin({ headers, auth_type: 'basic' });
    const [attempt] = (await only()).attempts;
    expect(attempt?.response).toMatch(/^You sent \*{8}, \*{8}! x+$/);
    expect(attempt?.response?.length).toBeLessThanOrEqual(1_024);
  });

  describe('for a batch', () => {
    /** Hands a batch over, as its queue does, and passes on what is due, as several replicas do. */
    const hand = async (destination_id: string, template_id: string | null = null) => {
      const { organization_id, environment } = principal;
      const [batch_id, operation_id] = [uuidv7(), uuidv7()];
      const work = { organization_id, environment, queue_id: uuidv7(), batch_id, operation_id };
      const content = { ...twoEvents('C1'), channel_id: null, destination_id, template_id };
      world.others.answers.batches.set(batch_id, content);
      await runJob(deliverBatch(dependencies), work);
      const origins = { batch: orderBatch(dependencies), schedule: () => Promise.resolve(undefined) };
      const senders = [1, 2].map(() => createDeferredSender(dependencies, origins));
      await Promise.all(senders.map((it) => it.begin()));
      await Promise.all(senders.map((it) => it.settled()));
      return { batch_id, content };
    };
    const reports = async ({ batch_id }: { batch_id: string }) => {
      const rows = await world.rows<{ payload: object }>(
        "select payload from outbox where subject = 'work.queue-ingest.report-batch' and payload ->> 'batch_id' = $1 order by id",
        [batch_id],
      );
      return rows.map(({ payload }) => payload);
    };

    it('carry its events, and their outcome is reported once', async () => {
      await create();
      const batch = await hand(id);
      await deliverDueNow(dependencies);
      await deliverDueNow(dependencies);
      const { queue, batch: facts, events } = batch.content;
      expect(receiver.received.map((it) => JSON.parse(it.body))).toEqual([
        {
          queue,
          batch: facts,
          events,
          event_count: 2,
          closed: true,
          first: { service: 'api' },
          last: { service: 'web' },
        },
      ]);
      expect(await reports(batch)).toMatchObject([{ status: 'delivered', delivery_id: (await only()).id }]);
    });

    it('carry the message too when the queue has a template', async () => {
      await create();
      const template_id = uuidv7();
      await hand(id, template_id);
      await deliverDueNow(dependencies);
      const { blocks, text, version_id } = world.others.answers.rendered;
      expect(receiver.received.map((it) => JSON.parse(it.body))).toMatchObject([
        { event_count: 2, message: { template_id, version_id, blocks, text } },
      ]);
    });

    it('go without what the events do not fit, and the queue is told what, once', async () => {
      await create();
      const entry = {
        pointer: '/blocks/0',
        path: 'events[1]',
        message: 'the entry of `events[1]` is left out',
      };
      const left_out = { count: 1, entries: [entry] };
      world.others.answers.rendered.left_out = left_out;
      const batch = await hand(id, uuidv7());
      delete world.others.answers.rendered.left_out;
      const told = await world.rows<{ payload: object }>(
        "select payload from outbox where subject = 'work.queue-ingest.note-left-out' and payload ->> 'batch_id' = $1 order by id",
        [batch.batch_id],
      );
      expect(told).toMatchObject([{ payload: { left_out } }]);
      await deliverDueNow(dependencies);
      const [{ body = '' } = {}] = receiver.received;
      expect(JSON.parse(body)).not.toHaveProperty('leftOut');
      expect(JSON.parse(body).events).toHaveLength(2);
    });

    it('are reported as failed when they end as dead letters', async () => {
      receiver.behave(answer(410));
      await create();
      const batch = await hand(id);
      await deliverDueNow(dependencies);
      expect(await reports(batch)).toMatchObject([{ status: 'failed', error: 'destination_failed' }]);
    });

    it('Batches are reported as unknown where the answer of an attempt was lost, until a replay succeeds', async () => {
      receiver.behave(keepSilent, answer(503), answer(200));
      await create({ max_retries: 1, retry_strategy: 'fixed' });
      const batch = await hand(id);
      await deliverDueNow(dependencies);
      await next();
      const dead = await only();
      expect(dead).toMatchObject({ status: 'failed', error: 'destination_failed' });
      const unknown = { status: 'unknown', error: 'delivery_outcome_unknown', delivery_id: dead.id };
      expect(await reports(batch)).toMatchObject([unknown]);
      await retry(dead.id);
      await deliverDueNow(dependencies);
      expect(await reports(batch)).toMatchObject([unknown, { status: 'delivered', delivery_id: dead.id }]);
      expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(
        new Set([dead.id]),
      );
    });

    it('are reported as failed when the destination is gone, before or after', async () => {
      const early = await hand(uuidv7());
      expect(await reports(early)).toMatchObject([{ status: 'failed', error: 'not_found' }]);
      await create();
      const given = await hand(id);
      await ask(deleteDestination(dependencies), { params: { id } }, principal);
      expect(await reports(given)).toMatchObject([{ status: 'failed', error: 'not_found' }]);
      await deliverDueNow(dependencies);
      expect(receiver.received).toEqual([]);
    });
  });
});
