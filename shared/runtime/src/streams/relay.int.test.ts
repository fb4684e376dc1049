import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { messageSubjectOf, settleReservation } from '@stanza/contracts';
import { v7 } from 'uuid';
import type { Database } from '../database/database.ts';
import { type Broker, connectBroker } from '../nats/broker.ts';
import { silentLogger } from '../observability/log.ts';
import { createMetrics } from '../observability/metrics.ts';
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
import { consume } from './consume.ts';
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

/** Commits work as a request does whose process is about to end: nobody has told the relay of it yet. */
const commitSilently = async (seed: number): Promise<void> => {
  await outbox.orm.query('insert into outbox (id, kind, subject, payload) values ($1, $2, $3, $4)', [
    v7(),
    'work',
    messageSubjectOf(settleReservation),
    JSON.stringify(someWork(seed)),
  ]);
};

describe('a relay that stops', () => {
  it('publishes what was committed up to then, and nothing that comes later', async () => {
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

  it('leaves to the next process what it cannot publish', async () => {
    const relay = startRelay();
    await nats.kill();
    await until(() => !broker.connected);
    await commitSilently(1);
    await relay.stop();
    expect(await rowsOf(outbox)).toMatchObject([{ attempt: 0 }]);
    await nats.restart();
    await until(() => broker.connected);
  });
});
