import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { messageSubjectOf, settleReservation } from '@stanza/contracts';
import { v7 } from 'uuid';
import type { Database } from '../database/database.ts';
import { type Broker, connectBroker } from '../nats/broker.ts';
import { silentLogger } from '../observability/log.ts';
import { createMetrics } from '../observability/metrics.ts';
import { noTracing } from '../observability/tracing.ts';
import type { TestNats } from '../testing/nats.ts';
import { connectTo, provisionSchema, startTestPostgres, type TestPostgres } from '../testing/postgres.ts';
import {
  emptyTables,
  keepStreams,
  rowsOf,
  someWork,
  startServiceNats,
  streamProcess,
} from '../testing/streams.ts';
import { until } from '../testing/wait.ts';
import { consume, type WorkFacts } from './consume.ts';
import { createOutbox, type OutboxMessage } from './outbox.ts';
import { Relay } from './relay.ts';

let postgres: TestPostgres;
let nats: TestNats;
let outbox: Database;
let inbox: Database;
let broker: Broker;
let keeper: { stop: () => Promise<void> };

beforeAll(async () => {
  [postgres, nats] = await Promise.all([startTestPostgres(), startServiceNats()]);
  outbox = await connectTo(await provisionSchema(postgres.url, 'delivery'), 'delivery');
  inbox = await connectTo(await provisionSchema(postgres.url, 'organization'), 'organization');
  keeper = await keepStreams(nats.url);
  const log = silentLogger();
  broker = await connectBroker({
    url: nats.url,
    user: 'delivery',
    password: 'secret',
    caller: 'delivery',
    log,
  });
});
afterAll(async () => {
  await Promise.all([keeper.stop(), broker.close()]);
  await Promise.all([outbox.close(), inbox.close()]);
  await Promise.all([postgres.close(), nats.close()]);
});
beforeEach(() => Promise.all([emptyTables(outbox), emptyTables(inbox)]));

/** An outbox whose messages are published from memory after the commit. */
const fromMemory = (publish: (message: OutboxMessage) => void) =>
  createOutbox({ service: 'delivery', tracing: noTracing, poke: () => undefined, publish });

const startRelay = (): Relay => {
  const metrics = createMetrics({ service: 'delivery', processMetrics: false });
  const log = silentLogger();
  const relay = new Relay({
    service: 'delivery',
    database: outbox,
    broker,
    log,
    metrics,
    delays: { eventMs: 100, workMs: 100, workMaxMs: 200 },
  });
  relay.start();
  return relay;
};

/** Commits work without notifying the relay, as a request does whose process is about to end. */
const commitSilently = async (seed: number): Promise<void> => {
  await outbox.orm.query('insert into outbox (id, kind, subject, payload) values ($1, $2, $3, $4)', [
    v7(),
    'work',
    messageSubjectOf(settleReservation),
    JSON.stringify(someWork(seed)),
  ]);
};

describe('a message that is published from memory', () => {
  it('is done without a claim of the relay, and deleted', async () => {
    const done: WorkFacts[] = [];
    const organization = await streamProcess('organization', nats.url, inbox);
    organization.work(consume(settleReservation, async (_, __, facts) => void done.push(facts)));
    const relay = startRelay();
    await commitSilently(9);
    await until(async () => {
      relay.poke();
      return done.length === 1 && (await rowsOf(outbox)).length === 0;
    });
    const direct = fromMemory((message) => relay.publishNow(message));
    await outbox.transaction(async (tx) => {
      for (const seed of [1, 2]) await direct.add(tx, settleReservation, someWork(seed));
    });
    await until(async () => done.length === 3 && (await rowsOf(outbox)).length === 0);
    expect(done.slice(1).map(({ attempt }) => attempt)).toEqual([1, 1]);
    await relay.stop();
    await organization.stop();
  });

  it('is published by the next relay, and done once, when its process ended before the publication', async () => {
    const done: WorkFacts[] = [];
    const organization = await streamProcess('organization', nats.url, inbox);
    organization.work(consume(settleReservation, async (_, __, facts) => void done.push(facts)));
    const ending = fromMemory(() => undefined);
    await outbox.transaction((tx) => ending.add(tx, settleReservation, someWork(1)));
    const relay = startRelay();
    await relay.stop();
    expect(await rowsOf(outbox)).toMatchObject([{ attempt: 1 }]);
    await outbox.orm.query('update outbox set due_at = now()');
    const next = startRelay();
    await until(async () => (await rowsOf(outbox)).length === 0);
    expect(done).toMatchObject([{ attempt: 2 }]);
    await next.stop();
    await organization.stop();
  });

  it('is done once when memory and relay both publish it', async () => {
    const done: string[] = [];
    const organization = await streamProcess('organization', nats.url, inbox);
    const relay = startRelay();
    const direct = fromMemory((message) => {
      relay.publishNow(message);
      relay.publishNow(message);
    });
    await outbox.transaction((tx) => direct.add(tx, settleReservation, someWork(1)));
    await outbox.orm.query('update outbox set due_at = now()');
    relay.poke();
    organization.work(consume(settleReservation, async (_, __, { id }) => void done.push(id)));
    await until(async () => (await rowsOf(outbox)).length === 0);
    expect(done).toHaveLength(1);
    await relay.stop();
    await organization.stop();
  });
});

describe('work with unique keys of its own', () => {
  it('is done without the inbox, and repeated when it is delivered again', async () => {
    const done: string[] = [];
    const organization = await streamProcess('organization', nats.url, inbox);
    const inTransaction = async (): Promise<void> => {
      throw new Error('this is for replays');
    };
    const alone = async (_: unknown, { id }: WorkFacts): Promise<void> => {
      done.push(id);
      if (done.length === 1) throw new Error('not yet');
    };
    organization.work(consume(settleReservation, inTransaction, { alone }));
    const relay = startRelay();
    await commitSilently(1);
    relay.poke();
    await until(async () => (await rowsOf(outbox)).length === 0);
    expect(done.length).toBeGreaterThanOrEqual(2);
    expect(new Set(done).size).toBe(1);
    expect(await inbox.orm.query('select from inbox')).toEqual([]);
    await relay.stop();
    await organization.stop();
  });
});

describe('a relay that stops', () => {
  it('publishes messages committed before the stop, and none after it', async () => {
    const done: string[] = [];
    const organization = await streamProcess('organization', nats.url, inbox);
    organization.work(consume(settleReservation, async (_, __, { id }) => void done.push(id)));
    const relay = startRelay();
    await commitSilently(1);
    await until(async () => {
      relay.poke();
      return done.length === 1 && (await rowsOf(outbox)).length === 0;
    });
    await Promise.all([2, 3, 4].map(commitSilently));
    await relay.stop();
    expect((await rowsOf(outbox)).filter(({ attempt }) => attempt === 0)).toEqual([]);
    await until(() => done.length === 4);
    await commitSilently(5);
    relay.poke();
    await relay.stop();
    expect((await rowsOf(outbox)).filter(({ attempt }) => attempt === 0)).toHaveLength(1);
    await organization.stop();
  });

  it('leaves messages that it cannot publish to the next process', async () => {
    const relay = startRelay();
    await nats.kill();
    await until(() => !broker.connected);
    await commitSilently(1);
    await relay.stop();
    expect(await rowsOf(outbox)).toMatchObject([{ attempt: 0 }]);
    await nats.restart();
    await until(() => broker.connected);
  });

  it('leaves messages committed while NATS is away to the next process', async () => {
    const relay = startRelay();
    const direct = fromMemory((message) => relay.publishNow(message));
    await nats.kill();
    await until(() => !broker.connected);
    await outbox.transaction((tx) => direct.add(tx, settleReservation, someWork(1)));
    await relay.stop();
    expect(await rowsOf(outbox)).toMatchObject([{ attempt: 1 }]);
    await nats.restart();
    await until(() => broker.connected);
  });
});
