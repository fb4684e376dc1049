import { setTimeout as pause } from 'node:timers/promises';
import { metricCatalogue, type Operation, operations, type ServiceName, schemaOf } from '@stanza/contracts';
import type { EntitySchema } from 'typeorm';
import { systemClock } from '../clock.ts';
import type { Migration } from '../database/data-source.ts';
import type { Database } from '../database/database.ts';
import { createReports, type ReportOptions, type Reports, reportConnections } from '../database/reports.ts';
import { awaitSchema } from '../database/schema-gate.ts';
import { InvariantError } from '../invariant.ts';
import { type Broker, connectBroker } from '../nats/broker.ts';
import type { Logger } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Tracing } from '../observability/tracing.ts';
import { NatsRpcClient } from '../rpc/client.ts';
import type { AnyHandler } from '../rpc/handler.ts';
import { checkHandlers } from '../rpc/handlers.ts';
import { RpcServer } from '../rpc/server.ts';
import { createEvents } from '../streams/events.ts';
import { keepHouse, outboxPoll } from '../streams/housekeeping.ts';
import { createOutbox } from '../streams/outbox.ts';
import { Relay } from '../streams/relay.ts';
import { deadLetterHandlers } from '../streams/resolve-dead-letters.ts';
import { Worker } from '../streams/worker.ts';
import { type BackgroundJobs, startBackgroundJobs } from './background.ts';
import { type Health, serveHealth } from './health.ts';
import { Hints } from './hints.ts';
import { openDatabase, patienceMs } from './open-database.ts';
import type { Running, ServiceContext } from './service-context.ts';
import { type ShutdownStep, shutDown, shutdownLimitMs } from './shutdown.ts';

const measureWorkMs = 15_000;

/** The settings that the runtime itself reads. */
export interface RuntimeSettings {
  STANZA_NATS_URL: string;
  STANZA_NATS_USER?: string | undefined;
  STANZA_NATS_PASSWORD?: string | undefined;
  STANZA_METRICS_PORT: number;
  STANZA_METRICS_HOST: string;
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
  /** Called when the process must end; its supervisor starts another. */
  onFatal: (reason: string) => void;
}

/** A service that runs in this process. */
export interface RunningService {
  /** The port of /metrics, /livez and /readyz. */
  readonly metricsPort: number;
  /**
   * Reports that it is not ready, stops taking requests, finishes those in flight, publishes the outbox, and closes.
   * @returns true when all of it succeeded in time
   */
  stop(): Promise<boolean>;
}

interface Stage {
  broker: Broker;
  rpc: NatsRpcClient;
  database: Database | undefined;
  reports: { from: Reports; close: () => Promise<void> } | undefined;
  relay: Relay | undefined;
  jobs: BackgroundJobs;
  hints: Hints;
  /** Lets a job look for its work, here and in the other processes of the service. */
  wake: (job: string) => void;
  closers: (() => Promise<void>)[];
  server?: RpcServer;
  workers: Worker[];
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

const makeRelay = <T>(
  options: StartOptions<T>,
  broker: Broker,
  database: Database | undefined,
): Relay | undefined => {
  if (!database) return undefined;
  const { name: service, log, metrics } = options;
  return new Relay({ service, database, broker, log, metrics });
};

const setStage = async <T>(options: StartOptions<T>): Promise<Stage> => {
  const { name, runtime, log, metrics, tracing, onFatal } = options;
  const broker = await connectBroker({
    url: runtime.STANZA_NATS_URL,
    user: runtime.STANZA_NATS_USER,
    password: runtime.STANZA_NATS_PASSWORD,
    caller: name,
    log,
    patienceMs,
    onLost: onFatal,
  });
  metrics.gauge(metricCatalogue.runtime.natsConnected, (gauge) => gauge.set(broker.connected ? 1 : 0));
  const jobs = startBackgroundJobs(log, metrics);
  const hints = new Hints({ broker, service: name, wake: jobs.wake, log });
  const wake = (job: string) => {
    jobs.wake(job);
    hints.tell(job);
  };
  const database = await openDatabase(options, { pool: runtime.STANZA_DATABASE_POOL ?? 10, wake });
  const reports = await openReports(options);
  const relay = makeRelay(options, broker, database);
  const rpc = new NatsRpcClient({ broker, log, metrics, tracing, clock: systemClock });
  const opened = { broker, rpc, database, reports, relay, jobs, hints, wake };
  return { ...opened, closers: [], workers: [], isStopping: false, missing: [] };
};

const awaitOwnSchema = async <T>({ name, migrations, log }: StartOptions<T>, stage: Stage): Promise<void> => {
  const { database } = stage;
  if (!database) return;
  await awaitSchema({ database, schema: schemaOf(name), migrations: migrations ?? [], log }, (missing) => {
    stage.missing = missing;
  });
};

const absent = (service: ServiceName): never => {
  throw new InvariantError(`${service} runs without a database`);
};

const makeKit = <T>(options: StartOptions<T>, stage: Stage): ServiceContext<T> => {
  const { name, settings, log, metrics, tracing } = options;
  const { rpc, database, relay, broker, jobs, wake, closers } = stage;
  const outbox = createOutbox({
    service: name,
    tracing,
    // The messages that a commit leaves to the relay are due later, which its job learns by this.
    poke: () => wake(outboxPoll),
    publish: (message) => relay?.publishNow(message),
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

/** The service's own handlers, and those that each service with a database has. */
const handlersOf = <T>(options: StartOptions<T>, { database }: Stage, running: Running): AnyHandler[] => {
  const { name, log, declared = operations } = options;
  const needs = { clock: systemClock, log, consumers: running.consumers ?? [] };
  const common = database ? deadLetterHandlers(name, { database, ...needs }) : [];
  const handlers = [...running.operations, ...common];
  checkHandlers(name, handlers, declared, log);
  return handlers;
};

const openForWork = <T>(options: StartOptions<T>, stage: Stage, running: Running): void => {
  const { name: service, runtime, log, metrics, tracing } = options;
  const { broker, database, relay, jobs } = stage;
  stage.running = running;
  stage.server = new RpcServer({
    broker,
    service,
    handlers: handlersOf(options, stage, running),
    concurrency: runtime.STANZA_RPC_CONCURRENCY,
    log,
    metrics,
    tracing,
    clock: systemClock,
  });
  if (relay && database) {
    relay.start();
    keepHouse(jobs, database, relay, metrics);
  }
  for (const consumer of running.consumers ?? []) {
    const worker = new Worker({
      consumer,
      database: database ?? absent(service),
      broker,
      log,
      metrics,
      tracing,
    });
    worker.start();
    stage.workers.push(worker);
    jobs.every(`work-measure-${consumer.declaration.name}`, measureWorkMs, () => worker.measure());
  }
};

const illnessOf = (stage: Stage | undefined): string | undefined => {
  if (!stage || stage.isStopping) return undefined;
  return stage.broker.fault;
};

const unreadinessOf = (stage: Stage | undefined): string | undefined => {
  if (stage?.isStopping) return 'stopping';
  if (stage && stage.missing.length > 0) return `the schema lacks ${stage.missing.join(', ')}`;
  if (!stage?.server) return 'starting';
  return stage.running?.ready?.() === false ? 'not ready' : undefined;
};

/** Calls over NATS need no such delay: messages sent to a subscription before its end are still handled. */
const takeLeave = async ({ running }: Stage): Promise<void> => {
  if (!running?.leave) return;
  running.leave.announce();
  await pause(running.leave.milliseconds);
};

const stepsToStop = (stage: Stage, health: Health, tracing: Tracing): ShutdownStep[] => [
  { name: 'take leave', run: () => takeLeave(stage) },
  {
    name: 'drain',
    run: async () => {
      await Promise.all([
        stage.jobs.stop(),
        stage.server?.drain(),
        ...stage.workers.map((worker) => worker.stop()),
      ]);
    },
  },
  ...stage.closers.toReversed().map((run) => ({ name: 'close the service', run })),
  { name: 'flush the outbox', run: async () => stage.relay?.stop() },
  { name: 'tell hints', run: async () => stage.hints.close() },
  { name: 'close NATS', run: () => stage.broker.close() },
  {
    name: 'close the database',
    run: async () => {
      await Promise.all([stage.database?.close(), stage.reports?.close()]);
    },
  },
  { name: 'send traces', run: () => tracing.close() },
  { name: 'close the probes', run: () => health.close() },
];

/**
 * Starts a service: probes first, then NATS, database, the service's own start, and at last its operations and
 * consumers.
 * @throws the error that prevented the start; everything opened is closed again
 */
export const startService = async <T>(options: StartOptions<T>): Promise<RunningService> => {
  const { runtime, metrics, log, tracing } = options;
  let stage: Stage | undefined;
  const health = await serveHealth({
    port: runtime.STANZA_METRICS_PORT,
    host: runtime.STANZA_METRICS_HOST,
    metrics,
    illness: () => illnessOf(stage),
    unreadiness: () => unreadinessOf(stage),
  });
  let stopped: Promise<boolean> | undefined;
  const stop = (): Promise<boolean> => {
    if (stage) stage.isStopping = true;
    const onlyProbes = [{ name: 'close the probes', run: () => health.close() }];
    const limitMs = shutdownLimitMs + (stage?.running?.leave?.milliseconds ?? 0);
    stopped ??= shutDown(stage ? stepsToStop(stage, health, tracing) : onlyProbes, log, limitMs);
    return stopped;
  };
  try {
    stage = await setStage(options);
    await awaitOwnSchema(options, stage);
    openForWork(options, stage, await options.start(makeKit(options, stage)));
    await stage.broker.nats.flush();
    return { metricsPort: health.port, stop };
  } catch (err) {
    await stop();
    throw err;
  }
};
