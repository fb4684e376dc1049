import { metricCatalogue, type ServiceName } from '@stanza/contracts';
import { createLogger, type Logger, standardOutput } from '../observability/log.ts';
import { createMetrics, type Metrics } from '../observability/metrics.ts';
import { tracingFromEnvironment } from '../observability/tracing.ts';
import { type Health, serveHealth } from './health.ts';
import type { ConfiguredService, Service } from './service.ts';
import type { Condition } from './service-context.ts';
import { environmentsOf } from './service-environment.ts';
import { SettingsError } from './settings.ts';
import type { RunningService } from './start-service.ts';

/** Exit codes, after sysexits.h where it has one. */
const exitCodes = {
  clean: 0,
  failed: 1,
  unavailable: 69,
  software: 70,
  unfinished: 75,
  settings: 78,
} as const;

/** Stands for the service in the log lines and metrics of a process with several. */
const nameOfSeveral = 'services';

/** Settings of which a process has one. */
const ofProcess = ['STANZA_METRICS_PORT', 'STANZA_METRICS_HOST'] as const;

type LogDestination = ReturnType<typeof standardOutput>;

/** What a process with these services has in common, from the settings of the first. */
const commonOf = (configured: readonly ConfiguredService[]): ConfiguredService['runtime'] => {
  const [first, ...others] = configured;
  if (first === undefined) throw new SettingsError(['there is no service to run']);
  const differing = ofProcess.filter((it) => others.some(({ runtime }) => runtime[it] !== first.runtime[it]));
  if (differing.length === 0) return first.runtime;
  throw new SettingsError(differing.map((it) => `${it} is of the process: give all its services the same`));
};

const configure = (services: readonly Service[], title: string) => {
  const problems: string[] = [];
  /** All problems are listed, of all services. */
  const listed = <T>(name: string, read: () => T): T | undefined => {
    try {
      return read();
    } catch (err) {
      if (!(err instanceof SettingsError)) throw err;
      problems.push(...err.problems.map((problem) => `${name}: ${problem}`));
      return undefined;
    }
  };
  const environments = listed(title, () => environmentsOf(services, process.env)) ?? [];
  const configured = environments.flatMap(
    ({ service, env }) => listed(service.name, () => service.configure(env)) ?? [],
  );
  const common = problems.length > 0 ? undefined : listed(title, () => commonOf(configured));
  if (common) return { configured, common };
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  return process.exit(exitCodes.settings);
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
 * Stops services: first those that take leave of clients of their own, since the requests in flight there need the others.
 * @returns true when all of it succeeded in time
 */
const stopAll = async (running: readonly RunningService[]): Promise<boolean> => {
  const stop = async (some: readonly RunningService[]): Promise<boolean> =>
    (await Promise.all(some.map((it) => it.stop()))).every((isClean) => isClean);
  const isClean = await stop(running.filter((it) => it.takesLeave));
  return (await stop(running.filter((it) => !it.takesLeave))) && isClean;
};

/** The condition of a process: that of the first service that has trouble. */
class ProcessCondition implements Condition {
  readonly #exposed = new Map<ServiceName, Condition>();
  readonly #services: number;

  constructor(services: number) {
    this.#services = services;
  }

  expose(name: ServiceName, condition: Condition): void {
    this.#exposed.set(name, condition);
  }

  illness(): string | undefined {
    return this.#first((it) => it.illness());
  }

  unreadiness(): string | undefined {
    return this.#exposed.size < this.#services ? 'starting' : this.#first((it) => it.unreadiness());
  }

  #first(trouble: (condition: Condition) => string | undefined): string | undefined {
    for (const [name, condition] of this.#exposed) {
      const reason = trouble(condition);
      if (reason !== undefined) return this.#services === 1 ? reason : `${name}: ${reason}`;
    }
    return undefined;
  }
}

/** The log and the metrics of one of several services. */
const ownOf = ({ name, runtime }: ConfiguredService, destination: LogDestination) => {
  const metrics = createMetrics({ service: name, processMetrics: false });
  // Rejections and log writes belong to no service, so the process counts them; theirs stay at zero.
  metrics.counter(metricCatalogue.runtime.unhandledRejections);
  metrics.counter(metricCatalogue.runtime.logWriteFailures);
  return { log: createLogger({ name, level: runtime.STANZA_LOG_LEVEL, destination }), metrics };
};

/**
 * The whole of a `main.ts`: reads the settings, starts the services in this process and stops them at SIGTERM or SIGINT.
 * Each has connections, credentials, metrics and log lines of its own; probes, standard output and the metrics of the
 * process are common. Exits with 78 for bad settings (one line a problem), 69 when NATS stays lost to one of them, 75 when
 * the shutdown did not finish in time.
 */
export const runServices = async (services: readonly Service[]): Promise<void> => {
  const title = (services.length === 1 ? services[0]?.name : undefined) ?? nameOfSeveral;
  const { configured, common } = configure(services, title);
  const metrics = createMetrics({ service: title, processMetrics: true });
  const writeFailures = metrics.counter(metricCatalogue.runtime.logWriteFailures);
  const destination = standardOutput(() => writeFailures.inc());
  const log = createLogger({ name: title, level: common.STANZA_LOG_LEVEL, destination });
  const running: RunningService[] = [];
  let isEnding = false;
  const end = async (code: number): Promise<void> => {
    // The second signal, or one before a service has started.
    if (isEnding || running.length === 0)
      return process.exit(code === exitCodes.clean && isEnding ? exitCodes.failed : code);
    isEnding = true;
    const isClean = await stopAll(running);
    log.info({ clean: isClean }, 'stopped');
    process.exit(code === exitCodes.clean && !isClean ? exitCodes.unfinished : code);
  };
  guardProcess(log, metrics, (code) => void end(code));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void end(exitCodes.clean));
  const condition = new ProcessCondition(services.length);
  const all = [metrics];
  const start = async (service: ConfiguredService, { port }: Health): Promise<void> => {
    const { name } = service;
    const own = configured.length === 1 ? { log, metrics } : ownOf(service, destination);
    if (own.metrics !== metrics) all.push(own.metrics);
    const started = await service.start({
      ...own,
      tracing: await tracingFromEnvironment(name, process.env, own.log),
      expose: (its) => condition.expose(name, its),
      onFatal: (reason) => {
        own.log.fatal({ reason }, 'exiting');
        if (!isEnding) void end(exitCodes.unavailable);
      },
    });
    running.push(started);
    own.log.info({ metrics_port: port }, 'started');
  };
  try {
    const { STANZA_METRICS_PORT: port, STANZA_METRICS_HOST: host } = common;
    const illness = () => condition.illness();
    const unreadiness = () => condition.unreadiness();
    const health = await serveHealth({ port, host, metrics: all, illness, unreadiness });
    await Promise.all(configured.map((service) => start(service, health)));
  } catch (err) {
    log.fatal({ err }, 'could not start');
    if (!isEnding) await end(exitCodes.failed);
  }
};
