import { metricCatalogue, type Operation, type ServiceName, schemaOf } from '@stanza/contracts';
import type { EntitySchema } from 'typeorm';
import { systemClock } from '../clock.ts';
import type { Migration } from '../database/data-source.ts';
import type { Database } from '../database/database.ts';
import { createReports, type ReportOptions, type Reports, reportConnections } from '../database/reports.ts';
import { awaitSchema } from '../database/schema-gate.ts';
import { InvariantError } from '../invariant.ts';
import { type Broker, connectBroker } from '../nats/broker.ts';
import { createEvents } from '../nats/events.ts';
import type { Logger } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Tracing } from '../observability/tracing.ts';
import { createOutbox } from '../outbox/outbox.ts';
import { outboxJob } from '../outbox/rows.ts';
import { OutboxRunner } from '../outbox/runner.ts';
import { NatsRpcClient } from '../rpc/client.ts';
import type { RpcServer } from '../rpc/server.ts';
import { type BackgroundJobs, startBackgroundJobs } from './background.ts';
import { ClockWatch } from './clock-watch.ts';
import { DatabaseAnswers } from './database-answers.ts';
import { Hints } from './hints.ts';
import { openDatabase, patienceMs } from './open-database.ts';
import type { Condition, Running, ServiceContext } from './service-context.ts';

/** The settings that the runtime itself reads. */
export interface RuntimeSettings {
  STANZA_NATS_URL: string;
  STANZA_NATS_USER?: string | undefined;
  STANZA_NATS_PASSWORD?: string | undefined;
  STANZA_RPC_CONCURRENCY: number;
  STANZA_DATABASE_URL?: string | undefined;
  STANZA_DATABASE_POOL?: number | undefined;
}

/** Options of {@link startService}. */
export interface StartOptions<T> {
  name: ServiceName;
  /** The service's own settings, passed to the service context. */
  settings: T;
  runtime: RuntimeSettings;
  entities: readonly EntitySchema[];
  /** Migrations that the service's schema must have. */
  migrations?: readonly Migration[];
  /** See `ServiceOptions.reports`. */
  reports?: ReportOptions;
  log: Logger;
  metrics: Metrics;
  tracing: Tracing;
  /** The declared operations of all services; tests pass their own. */
  declared?: readonly Operation[];
  start: (serviceContext: ServiceContext<T>) => Promise<Running>;
  /** Called at once, with what the probes of the process report of this service. */
  expose: (condition: Condition) => void;
  /** Called when the process must end; its supervisor starts another. */
  onFatal: (reason: string) => void;
}

/** What a service has opened so far, and the state that its probes tell. */
export interface Stage {
  broker: Broker;
  rpc: NatsRpcClient;
  database: Database | undefined;
  reports: { from: Reports; close: () => Promise<void> } | undefined;
  outbox: OutboxRunner | undefined;
  /** Undefined without a database. */
  clockWatch: ClockWatch | undefined;
  jobs: BackgroundJobs;
  hints: Hints;
  /** Lets a job look for its work, here and in the other processes of the service. */
  wake: (job: string) => void;
  closers: (() => Promise<void>)[];
  server?: RpcServer;
  running?: Running;
  isStopping: boolean;
  /** Migrations that this version needs and the schema lacks. */
  missing: readonly string[];
}

const openReports = async <T>(options: StartOptions<T>): Promise<Stage['reports']> => {
  if (!options.reports) return undefined;
  const database = await openDatabase(options, { pool: reportConnections, isPoolUnseen: true });
  return (
    database && {
      from: createReports(database, options.metrics, options.reports),
      close: () => database.close(),
    }
  );
};

/** Opens NATS and the database of a service, once they are reachable, and what lives on them. */
export const setStage = async <T>(options: StartOptions<T>): Promise<Stage> => {
  const { name, runtime, log, metrics, tracing, onFatal } = options;
  let reached: Broker | undefined;
  // Before the first connection: a process that restarts for want of one says so all the time.
  metrics.gauge(metricCatalogue.runtime.natsConnected, (gauge) => gauge.set(reached?.connected ? 1 : 0));
  const broker = await connectBroker({
    url: runtime.STANZA_NATS_URL,
    user: runtime.STANZA_NATS_USER,
    password: runtime.STANZA_NATS_PASSWORD,
    caller: name,
    log,
    patienceMs,
    onLost: onFatal,
  });
  reached = broker;
  const disconnects = metrics.counter(metricCatalogue.runtime.natsDisconnects);
  broker.onDisconnect((reason) => disconnects.inc({ reason }));
  const jobs = startBackgroundJobs(log, metrics);
  const hints = new Hints({ broker, service: name, wake: jobs.wake, log });
  const wake = (job: string) => {
    jobs.wake(job);
    hints.publish(job);
  };
  const answers =
    runtime.STANZA_DATABASE_URL === undefined
      ? undefined
      : new DatabaseAnswers({ clock: systemClock, metrics });
  const database = await openDatabase(options, { pool: runtime.STANZA_DATABASE_POOL ?? 10, wake });
  const reports = await openReports(options);
  const rpc = new NatsRpcClient({ broker, log, metrics, tracing, clock: systemClock });
  const outbox =
    database && new OutboxRunner({ service: name, database, broker, rpc, log, metrics, tracing });
  const clockWatch =
    database && answers && new ClockWatch({ database, clock: systemClock, log, metrics, answers });
  const opened = { broker, clockWatch, rpc, database, reports, outbox, jobs, hints, wake };
  return { ...opened, closers: [], isStopping: false, missing: [] };
};

/** Waits until the service's schema has the migrations of this version; its probes tell which are missing. */
export const awaitOwnSchema = async <T>(
  { name, migrations, log }: StartOptions<T>,
  stage: Stage,
): Promise<void> => {
  const { database } = stage;
  if (!database) return;
  await awaitSchema({ database, schema: schemaOf(name), migrations: migrations ?? [], log }, (missing) => {
    stage.missing = missing;
  });
};

/** The failure of what needs a database in a service that has none. */
export const absent = (service: ServiceName): never => {
  throw new InvariantError(`${service} runs without a database`);
};

/** What the start of a service is given of its stage. */
export const contextOf = <T>(options: StartOptions<T>, stage: Stage): ServiceContext<T> => {
  const { name, settings, log, metrics, tracing } = options;
  const { rpc, database, broker, jobs, wake, closers } = stage;
  const outbox = createOutbox({
    service: name,
    tracing,
    wake: () => wake(outboxJob),
    run: (message) => stage.outbox?.run(message),
  });
  return {
    name,
    settings,
    log,
    metrics,
    tracing,
    rpc,
    forward: rpc.forward,
    get database() {
      return database ?? absent(name);
    },
    get reports() {
      return stage.reports?.from ?? database ?? absent(name);
    },
    get outbox() {
      return database ? outbox : absent(name);
    },
    events: createEvents(broker, log, metrics),
    clock: systemClock,
    condition: {
      illness: () => illnessOf(stage),
      unreadiness: () => illnessOf(stage) ?? unreadinessOf(stage),
    },
    connected: () => broker.connected,
    onClose: (close) => {
      closers.push(close);
    },
    every: jobs.every,
    whenDue: jobs.whenDue,
  };
};

/** Why the process must be replaced; undefined while it need not be. */
export const illnessOf = (stage: Stage | undefined): string | undefined => {
  if (!stage || stage.isStopping) return undefined;
  return stage.broker.fault;
};

/** Why the process takes no work; undefined when it does. */
export const unreadinessOf = (stage: Stage | undefined): string | undefined => {
  if (stage?.isStopping) return 'stopping';
  if (stage && stage.missing.length > 0) return `the schema lacks ${stage.missing.join(', ')}`;
  if (!stage?.server) return 'starting';
  const clocks = stage.clockWatch?.unreadiness;
  if (clocks !== undefined) return clocks;
  return stage.running?.ready?.() === false ? 'not ready' : undefined;
};
