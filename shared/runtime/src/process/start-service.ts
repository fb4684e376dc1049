import { setTimeout as pause } from 'node:timers/promises';
import { operations } from '@stanza/contracts';
import { systemClock } from '../clock.ts';
import type { Tracing } from '../observability/tracing.ts';
import { failedJobHandlers, forgetFailedJobs } from '../outbox/failed-jobs.ts';
import { measureOutbox } from '../outbox/measure.ts';
import { outboxJob } from '../outbox/rows.ts';
import type { AnyHandler } from '../rpc/handler.ts';
import { checkHandlers } from '../rpc/handlers.ts';
import { RpcServer } from '../rpc/server.ts';
import type { Running } from './service-context.ts';
import { type ShutdownStep, shutDown, shutdownLimitMs } from './shutdown.ts';
import {
  awaitOwnSchema,
  contextOf,
  illnessOf,
  type Stage,
  type StartOptions,
  setStage,
  unreadinessOf,
} from './stage.ts';

export type { RuntimeSettings, StartOptions } from './stage.ts';

const measureOutboxMs = 15_000;
const watchClockMs = 1_000;
const forgetFailedJobsMs = 10 * 60_000;

/** A service that runs in this process. */
export interface RunningService {
  /** It has clients of its own, of which it takes leave when it stops. */
  readonly takesLeave: boolean;
  /**
   * Reports that it is not ready, stops taking requests, finishes those in flight, ends the calls of the outbox, and closes.
   * @returns true when all of it succeeded in time
   */
  stop(): Promise<boolean>;
}

/** The service's own handlers, and those that each service with a database has. */
const handlersOf = <T>(options: StartOptions<T>, stage: Stage, running: Running): AnyHandler[] => {
  const { name, log, declared = operations } = options;
  const { database, wake } = stage;
  const { operations: own, discards = [] } = running;
  const needs = { service: name, clock: systemClock, log, handlers: own, discards, wake };
  const common = database ? failedJobHandlers({ database, ...needs }) : [];
  const handlers = [...own, ...common];
  checkHandlers(name, handlers, declared, log);
  return handlers;
};

const watchClock = async ({ clockWatch, jobs }: Stage): Promise<void> => {
  if (!clockWatch) return;
  await clockWatch.compare();
  jobs.every('watch-clock', watchClockMs, () => clockWatch.tick());
};

const openForWork = <T>(options: StartOptions<T>, stage: Stage, running: Running): void => {
  const { name: service, runtime, log, metrics, tracing } = options;
  const { broker, database, outbox, jobs } = stage;
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
  if (outbox && database) {
    jobs.whenDue(outboxJob, { next: () => outbox.nextDue(), run: () => outbox.runDue() });
    broker.onReconnect(() => jobs.wake(outboxJob));
    jobs.every('measure-outbox', measureOutboxMs, measureOutbox(service, { database, metrics }));
    jobs.every('forget-failed-jobs', forgetFailedJobsMs, async () => void (await forgetFailedJobs(database)));
  }
};

/**
 * Waits `STANZA_DRAIN_SECONDS`, before the step `drain`. Calls over NATS need no such delay: messages sent to a subscription
 * before its end are still handled.
 */
const takeLeave = async ({ running }: Stage): Promise<void> => {
  if (!running?.leave) return;
  running.leave.announce();
  await pause(running.leave.milliseconds);
};

/** The steps of a shutdown, in order: leave, drain, close the service, the outbox, NATS and the database. */
const stepsToStop = (stage: Stage, tracing: Tracing): ShutdownStep[] => [
  { name: 'take leave', run: () => takeLeave(stage) },
  {
    name: 'drain',
    run: async () => {
      await Promise.all([stage.jobs.stop(), stage.server?.drain()]);
    },
  },
  ...stage.closers.toReversed().map((run) => ({ name: 'close the service', run })),
  { name: 'end the calls of the outbox', run: async () => stage.outbox?.stop() },
  { name: 'tell hints', run: async () => stage.hints.close() },
  { name: 'close NATS', run: () => stage.broker.close() },
  {
    name: 'close the database',
    run: async () => {
      await Promise.all([stage.database?.close(), stage.reports?.close()]);
    },
  },
  { name: 'send traces', run: () => tracing.close() },
];

/**
 * Starts a service: its condition is known first, then come NATS, database, the service's own start, and at last its
 * operations.
 * @throws the error that prevented the start; everything opened is closed again
 */
export const startService = async <T>(options: StartOptions<T>): Promise<RunningService> => {
  const { log, tracing, expose } = options;
  let stage: Stage | undefined;
  expose({ illness: () => illnessOf(stage), unreadiness: () => unreadinessOf(stage) });
  let stopped: Promise<boolean> | undefined;
  const stop = (): Promise<boolean> => {
    if (stage) stage.isStopping = true;
    const limitMs = shutdownLimitMs + (stage?.running?.leave?.milliseconds ?? 0);
    stopped ??= shutDown(stage ? stepsToStop(stage, tracing) : [], log, limitMs);
    return stopped;
  };
  try {
    stage = await setStage(options);
    // Before the schema, for which it may wait long: the database is asked all the time.
    await watchClock(stage);
    await awaitOwnSchema(options, stage);
    openForWork(options, stage, await options.start(contextOf(options, stage)));
    await stage.broker.nats.flush();
    return { takesLeave: stage.running?.leave !== undefined, stop };
  } catch (err) {
    await stop();
    throw err;
  }
};
