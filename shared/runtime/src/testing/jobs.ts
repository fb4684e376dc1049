import {
  type CallerName,
  type InputOf,
  natsPermissions,
  type ServiceName,
  serviceNames,
  type settleReservation,
} from '@stanza/contracts';
import type { Database } from '../database/database.ts';
import { statement } from '../database/statement.ts';
import { silentLogger } from '../observability/log.ts';
import { noTracing, type Tracing } from '../observability/tracing.ts';
import { createOutbox, type Outbox } from '../outbox/outbox.ts';
import { OutboxRunner } from '../outbox/runner.ts';
import { dueNow } from './due-now.ts';
import { startTestNats, type TestNats } from './nats.ts';
import { type TestProcess, testProcess } from './rpc.ts';

/** The users of a NATS server with the real permissions, and an operator with all permissions. */
export const serviceUsers = () => ({
  ...Object.fromEntries(serviceNames.map((name: CallerName) => [name, natsPermissions(name)])),
  operator: { publish: ['>'], subscribe: ['>'], allowResponses: true },
});

/** A NATS server with one user for each service. */
export const startServiceNats = (): Promise<TestNats> => startTestNats({ users: serviceUsers() });

/** A settlement of delivery for organization; `seed` makes it distinct. */
export const someWork = (seed: number) => {
  const id = (kind: number) => `019a0000-0000-7000-800${kind}-${String(seed).padStart(12, '0')}`;
  return {
    organization_id: id(0),
    environment: 'production' as const,
    operation_id: id(1),
    items: [{ item: 0, charged: true, credit_log_id: id(2), message_id: id(3) }],
  };
};

/** The `seed` of a settlement made by {@link someWork}. */
export const seedOf = ({ operation_id }: InputOf<typeof settleReservation>): number =>
  Number(operation_id.slice(-12));

/** One process of a service with its outbox. */
export interface OutboxProcess extends TestProcess {
  outbox: Outbox;
  runner: OutboxRunner;
  /** Runs all rows, as if each were due. */
  runAll(): Promise<void>;
  stop(): Promise<void>;
}

const makeDue = statement<object>('test-outbox-due', `update outbox set due_at = ${dueNow}`);

/** Options of {@link outboxProcess}. */
export interface OutboxProcessOptions {
  service: ServiceName;
  url: string;
  database: Database;
  tracing?: Tracing;
  /** False for a process that ends between its commits and their calls. */
  runsFromMemory?: boolean;
}

/** Connects a service to its schema and to NATS under its own user. */
export const outboxProcess = async ({
  service,
  url,
  database,
  tracing = noTracing,
  runsFromMemory = true,
}: OutboxProcessOptions): Promise<OutboxProcess> => {
  const made = await testProcess({ url, user: service, caller: service, tracing });
  const { broker, rpc, metrics } = made;
  const runner = new OutboxRunner({ service, database, broker, rpc, log: silentLogger(), metrics, tracing });
  return {
    ...made,
    runner,
    outbox: createOutbox({
      service,
      tracing,
      wake: () => undefined,
      run: (message) => {
        if (runsFromMemory) runner.run(message);
      },
    }),
    runAll: async () => {
      await database.query(makeDue);
      await runner.runDue();
    },
    stop: async () => {
      await runner.stop();
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

/** The failed jobs of a service. */
export const failedJobsOf = (database: Database) => database.query(deadLetterRows);

/** Empties outbox and failed jobs. */
export const emptyTables = (database: Database): Promise<unknown> =>
  database.orm.query('delete from outbox; delete from dead_letters');
