import { metricCatalogue, type Operation, type ServiceName } from '@stanza/contracts';
import type { EntitySchema } from 'typeorm';
import { z } from 'zod';
import type { Migration } from '../database/data-source.ts';
import type { ReportOptions } from '../database/reports.ts';
import { createLogger, type Logger } from '../observability/log.ts';
import { createMetrics, type Metrics } from '../observability/metrics.ts';
import { tracingFromEnvironment } from '../observability/tracing.ts';
import type { Running, ServiceContext } from './service-context.ts';
import { databaseSettings, loadSettings, processSettings, SettingsError } from './settings.ts';
import { type RunningService, startService } from './start-service.ts';

/** Exit codes, after sysexits.h where it has one. */
const exitCodes = {
  clean: 0,
  failed: 1,
  unavailable: 69,
  software: 70,
  unfinished: 75,
  settings: 78,
} as const;

/** Options of {@link runService}. */
export interface ServiceOptions<S extends z.ZodObject> {
  name: ServiceName;
  /** All settings of the service, the common ones included. */
  settings: S;
  /** TypeORM entities of the service's schema. */
  entities?: readonly EntitySchema[];
  /** The migrations of the schema; the service waits at its start until all are applied. */
  migrations?: readonly Migration[];
  /** The service has searches or reports; they get connections of their own. */
  reports?: ReportOptions;
  /** False for a service without a schema; it needs no database settings. */
  database?: boolean;
  /** The declared operations of all services; tests pass their own. */
  declared?: readonly Operation[];
  start(serviceContext: ServiceContext<z.output<S>>): Promise<Running>;
}

const withDatabase = z.object({ ...processSettings, ...databaseSettings });
const withoutDatabase = z.object(processSettings);

const readOrExit = <S extends z.ZodObject>({ name, settings, database }: ServiceOptions<S>) => {
  try {
    const own = loadSettings(settings, process.env);
    // The service's settings include the common ones, already checked and converted.
    const runtime = (database === false ? withoutDatabase : withDatabase).parse(own);
    return { own, runtime };
  } catch (err) {
    if (!(err instanceof SettingsError)) throw err;
    for (const problem of err.problems) process.stderr.write(`${name}: ${problem}\n`);
    return process.exit(exitCodes.settings);
  }
};

/** Keeps the process alive after an unhandled rejection, and logs an uncaught exception before the exit. */
const guardProcess = (log: Logger, metrics: Metrics, end: (code: number) => void): void => {
  const forgotten = metrics.counter(metricCatalogue.runtime.unhandledRejections);
  process.on('unhandledRejection', (err) => {
    forgotten.inc();
    log.error({ err }, 'unhandled rejection');
  });
  process.on('uncaughtException', (err) => {
    log.fatal({ err }, 'uncaught exception');
    end(exitCodes.software);
  });
};

/**
 * The whole of a service's `main.ts`: reads the settings, starts the service and stops it at SIGTERM or SIGINT. Exits
 * with 78 for bad settings (one line a problem), 69 when NATS stays lost, 75 when the shutdown did not finish in time.
 */
export const runService = async <S extends z.ZodObject>(options: ServiceOptions<S>): Promise<void> => {
  const { own, runtime } = readOrExit(options);
  const { name } = options;
  const log = createLogger({ name, level: runtime.STANZA_LOG_LEVEL });
  const metrics = createMetrics({ service: name, processMetrics: true });
  const tracing = await tracingFromEnvironment(name, process.env);
  let service: RunningService | undefined;
  let isEnding = false;
  const end = async (code: number): Promise<void> => {
    // The second signal, or one before the service has started.
    if (isEnding || !service)
      return process.exit(code === exitCodes.clean && isEnding ? exitCodes.failed : code);
    isEnding = true;
    const isClean = await service.stop();
    log.info({ clean: isClean }, 'stopped');
    process.exit(code === exitCodes.clean && !isClean ? exitCodes.unfinished : code);
  };
  guardProcess(log, metrics, (code) => void end(code));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void end(exitCodes.clean));
  const onFatal = (reason: string): void => {
    log.fatal({ reason }, 'the process cannot go on');
    if (!isEnding) void end(exitCodes.unavailable);
  };
  try {
    const entities = options.entities ?? [];
    const start = (serviceContext: ServiceContext<z.output<S>>) => options.start(serviceContext);
    service = await startService({
      name,
      settings: own,
      runtime,
      entities,
      migrations: options.migrations ?? [],
      ...(options.reports && { reports: options.reports }),
      ...(options.declared && { declared: options.declared }),
      log,
      metrics,
      tracing,
      start,
      onFatal,
    });
    log.info({ metrics_port: service.metricsPort }, 'started');
  } catch (err) {
    log.fatal({ err }, 'could not start');
    process.exit(exitCodes.failed);
  }
};
