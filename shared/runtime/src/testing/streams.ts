import {
  type NatsUser,
  natsPermissions,
  type PayloadOf,
  type ServiceName,
  serviceNames,
  type settleReservation,
  streamKeeper,
} from '@stanza/contracts';
import type { Database } from '../database/database.ts';
import { statement } from '../database/statement.ts';
import { type Broker, connectBroker } from '../nats/broker.ts';
import { silentLogger } from '../observability/log.ts';
import { createMetrics, type Metrics } from '../observability/metrics.ts';
import { noTracing } from '../observability/tracing.ts';
import type { WorkConsumer } from '../streams/consume.ts';
import { StreamKeeper } from '../streams/keeper.ts';
import { createOutbox, type Outbox } from '../streams/outbox.ts';
import { Relay, type RelayDelays } from '../streams/relay.ts';
import { Worker } from '../streams/worker.ts';
import { startTestNats, type TestNats } from './nats.ts';

/** The users of a NATS server with the real permissions, and an operator with all permissions. */
export const serviceUsers = () => ({
  ...Object.fromEntries(
    [...serviceNames, streamKeeper].map((name: NatsUser) => [name, natsPermissions(name)]),
  ),
  operator: { publish: ['>'], subscribe: ['>'], allowResponses: true },
});

/** A NATS server with one user for each service. */
export const startServiceNats = (): Promise<TestNats> => startTestNats({ users: serviceUsers() });

/** Work from delivery for organization; `seed` makes it distinct. */
export const someWork = (seed: number) => {
  const id = (kind: number) => `019a0000-0000-7000-800${kind}-${String(seed).padStart(12, '0')}`;
  return {
    organization_id: id(0),
    environment: 'production' as const,
    operation_id: id(1),
    items: [{ item: 0, charged: true, credit_log_id: id(2), message_id: id(3) }],
  };
};

/** The `seed` of work made by {@link someWork}. */
export const seedOf = ({ operation_id }: PayloadOf<typeof settleReservation>): number =>
  Number(operation_id.slice(-12));

/** One service in a test of streams. */
export interface StreamProcess {
  broker: Broker;
  database: Database;
  metrics: Metrics;
  outbox: Outbox;
  relay: Relay;
  work(consumer: WorkConsumer): Worker;
  stop(): Promise<void>;
}

/** Creates and restores streams and consumers, as the process `streams` does. */
export const keepStreams = async (url: string): Promise<{ stop: () => Promise<void> }> => {
  const log = silentLogger();
  const user = streamKeeper;
  const broker = await connectBroker({ url, user, password: 'secret', caller: user, log });
  const keeper = new StreamKeeper({ broker, log, replicas: 1, everyMs: 50 });
  keeper.start();
  return {
    stop: async () => {
      await keeper.stop();
      await broker.close();
    },
  };
};

/** Short delays for tests. */
const testDelays: RelayDelays = { eventMs: 100, workMs: 100, workMaxMs: 200 };

/** Connects a service to its schema and to NATS under its own user, with a relay that runs. */
export const streamProcess = async (
  service: ServiceName,
  url: string,
  database: Database,
  delays: RelayDelays = testDelays,
): Promise<StreamProcess> => {
  const log = silentLogger();
  const metrics = createMetrics({ service, processMetrics: false });
  const broker = await connectBroker({ url, user: service, password: 'secret', caller: service, log });
  const relay = new Relay({ service, database, broker, log, metrics, delays });
  const poll = setInterval(() => relay.poke(), 20);
  const workers: Worker[] = [];
  relay.start();
  return {
    broker,
    database,
    metrics,
    relay,
    outbox: createOutbox({ service, tracing: noTracing, poke: () => relay.poke() }),
    work: (consumer) => {
      const worker = new Worker({
        consumer,
        database,
        broker,
        log,
        metrics,
        tracing: noTracing,
      });
      worker.start();
      workers.push(worker);
      return worker;
    },
    stop: async () => {
      clearInterval(poll);
      await Promise.all(workers.map((worker) => worker.stop()));
      await relay.stop();
      await broker.close();
    },
  };
};

const outboxRows = statement<{ id: string; attempt: number; subject: string }>(
  'test-outbox-rows',
  'select id, attempt, subject from outbox order by id',
);
const deadLetterRows = statement<{
  message_id: string | null;
  payload: string;
  reason: string;
  deliveries: number;
}>('test-dead-letters', 'select message_id, payload, reason, deliveries from dead_letters order by id');

/** The rows of an outbox. */
export const rowsOf = (database: Database) => database.query(outboxRows);

/** The dead letters of a service. */
export const deadLettersOf = (database: Database) => database.query(deadLetterRows);

/** Empties outbox, inbox and dead letters. */
export const emptyTables = (database: Database): Promise<unknown> =>
  database.orm.query('delete from outbox; delete from inbox; delete from dead_letters');
