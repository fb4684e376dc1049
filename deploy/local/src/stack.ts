import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type ServiceName, serviceNames } from '@stanza/contracts';
import { detoured } from './detours.ts';
import { prepareDirectory, type StackDirectory, stackDirectory } from './directory.ts';
import { alreadyRuns, releaseLock, takeLock } from './directory-lock.ts';
import { inheritedEnvironment } from './environment.ts';
import { StackFailure } from './failure.ts';
import { identityUrlOf } from './identity.ts';
import { removeInfo, type StackInfo, writeInfo } from './info.ts';
import { type Infrastructure, startInfrastructure } from './infrastructure.ts';
import { keepLogsSmall } from './logs.ts';
import { natsUrlFor } from './nats/address.ts';
import { natsUsers } from './nats/config.ts';
import { freePorts, loopback, portOfAddress } from './ports.ts';
import { endLeftovers, ProcessGroup } from './process-group.ts';
import { type Progress, silentProgress } from './progress.ts';
import { databaseRoles, migratorRole, urlFor } from './provision.ts';
import { runMigrations } from './run-migrations.ts';
import { sandboxProcess } from './sandbox.ts';
import { loadSecrets, type StackSecrets } from './secrets.ts';
import { seedDemo } from './seed.ts';
import {
  metricsPages,
  placeServices,
  type ServicePlace,
  type ServiceSurroundings,
  serviceProcess,
} from './services.ts';
import { loadKnownSettings, userSettings } from './settings.ts';
import type { StackOptions } from './stack-options.ts';
import type { SupervisedProcess } from './supervised-process.ts';

export type { StackOptions } from './stack-options.ts';

/** A running stack. */
export interface Stack {
  /** The content of `stack.json`; `pids` is current at each reading. */
  readonly info: StackInfo;
  /** Addresses of all gateways. */
  readonly baseUrls: readonly string[];
  /** Names of all its processes. */
  readonly processes: readonly string[];
  /** One process, to stop, restart or wait for. */
  process(name: string): SupervisedProcess;
  /** Sends a signal to one process, which is restarted when it dies. */
  kill(name: string, signal: NodeJS.Signals): void;
  /** Brings the database up to date with the current migrations. */
  migrate(): Promise<void>;
  /** Waits until every process is ready. */
  whenReady(): Promise<void>;
  /** Stops everything in order. */
  stop(): Promise<void>;
}

/**
 * Starts Postgres, NATS, the sandbox and the services, brings the database up to date, creates the demo organizations,
 * and writes `stack.json`. Fails with a StackFailure that says what to do, and then leaves no process running.
 */
export const startStack = async (options: StackOptions): Promise<Stack> => {
  const directory = stackDirectory(options.directory);
  await prepareDirectory(directory);
  const holder = takeLock(directory.lock);
  if (holder !== undefined) throw alreadyRuns(directory, holder);
  const boot = new Boot(directory, options);
  try {
    return await boot.run();
  } catch (error) {
    await boot.stop();
    throw error;
  }
};

/** The stages in which a stack is started; it is stopped in reverse. */
const stages: readonly (readonly ServiceName[])[] = [
  ['organization', 'template', 'compile', 'delivery', 'queue-ingest'],
  ['gateway'],
];

type Settings = Pick<ServiceSurroundings, 'known' | 'userSettings'>;

/** A starting stack, with its state for the stop. */
class Boot {
  #directory: StackDirectory;
  #options: StackOptions;
  #progress: Progress;
  #env: Record<string, string | undefined>;
  #group: ProcessGroup;
  #places: ServicePlace[] = [];
  #info: StackInfo | undefined;
  #published = false;
  #migratorUrl = '';
  #endLogCare: () => void;

  constructor(directory: StackDirectory, options: StackOptions) {
    this.#directory = directory;
    this.#options = options;
    this.#env = { ...process.env, ...options.env };
    this.#progress = options.progress ?? silentProgress;
    this.#group = new ProcessGroup(directory.processes, () => this.#publish(), {
      ...(options.onRestart && { onRestart: options.onRestart }),
      ...(options.onCrashLoop && { onCrashLoop: options.onCrashLoop }),
      ...(options.onDown && { onDown: options.onDown }),
    });
    this.#endLogCare = keepLogsSmall(directory.logs);
  }

  run(): Promise<Stack> {
    const starting = this.#group.track(this.#start());
    const { signal } = this.#options;
    if (signal === undefined) return starting;
    const aborted = new Promise<never>((_resolve, reject) => {
      const abort = () => reject(new StackFailure('The start was interrupted.', 'Start again.'));
      if (signal.aborted) abort();
      signal.addEventListener('abort', abort, { once: true });
    });
    return Promise.race([starting, aborted]);
  }

  async stop(): Promise<void> {
    const named = (services: readonly ServiceName[]) =>
      this.#places.filter((it) => services.some((name) => it.services.at(-1) === name)).map((it) => it.name);
    this.#published = false;
    await removeInfo(this.#directory.info);
    await this.#group.stop([['postgres'], ['nats'], ['sandbox'], ...stages.map(named)]);
    this.#endLogCare();
    releaseLock(this.#directory.lock);
  }

  async #start(): Promise<Stack> {
    await endLeftovers(this.#directory.processes);
    await removeInfo(this.#directory.info);
    const secrets = await loadSecrets(this.#directory.secrets, { roles: databaseRoles, nats: natsUsers });
    const settings = await this.#checkSettings();
    const take = await this.#placeServices();
    const starting = startInfrastructure({
      directory: this.#directory,
      secrets,
      env: this.#env,
      group: this.#group,
      progress: this.#progress,
    });
    const sandbox = this.#sandbox(secrets, settings, take());
    const sandboxUrl = sandbox?.url ?? '';
    const [{ databaseUrl, nats }, baseUrls] = await Promise.all([
      starting,
      // They load their code while the schemas are brought up to date, and wait for them as in a roll-out.
      starting.then((infrastructure) => this.#startServices(secrets, settings, infrastructure, sandboxUrl)),
      // The sandbox needs neither Postgres nor NATS.
      sandbox && this.#progress.step('Sandbox', this.#group.start(sandbox.process), () => sandboxUrl),
      this.#migrateIn(starting, secrets),
    ]);
    const admin = { user: nats.user ?? 'admin', password: nats.password ?? secrets.nats.admin ?? '' };
    const base_url = baseUrls[0] ?? '';
    this.#info = {
      base_url,
      sandbox_url: sandboxUrl,
      identity_url: identityUrlOf(sandboxUrl),
      identity_secret: secrets.identity_secret,
      database_url: databaseUrl,
      nats_url: natsUrlFor(nats, admin.user, admin.password),
      metrics: metricsPages(this.#places),
      pids: this.#group.pids,
      organizations: [],
    };
    if (this.#options.seed ?? this.#services().length === serviceNames.length) {
      const seeding = seedDemo({ url: nats.url, ...admin }, this.#directory.demo);
      this.#info.organizations = await this.#progress.step('Organizations', seeding, (made) =>
        made.map((it) => it.name).join(', '),
      );
    }
    this.#published = true;
    this.#publish();
    return this.#stack(this.#info, baseUrls);
  }

  #services(): readonly ServiceName[] {
    return this.#options.services ?? serviceNames;
  }

  /** Checked first, so that an unknown setting fails the start early. */
  async #checkSettings(): Promise<Settings> {
    const known = await loadKnownSettings();
    return { known, userSettings: userSettings(known, this.#env) };
  }

  /** Undefined where no service runs. */
  #sandbox(secrets: StackSecrets, settings: Settings, port: number) {
    if (this.#places.length === 0) return undefined;
    const gateway = this.#places.find((it) => it.port !== undefined);
    const app = {
      url: `http://${loopback}:${gateway?.port ?? 0}/v1/chat/interactions`,
      signingSecret: settings.userSettings.STANZA_CHAT_SIGNING_SECRET ?? secrets.chat_signing_secret,
    };
    return sandboxProcess({
      port,
      logFile: join(this.#directory.logs, 'sandbox.log'),
      events: this.#group.events,
      app,
      identitySecret: secrets.identity_secret,
      sources: this.#options.sources,
    });
  }

  /** The process that migrates loads its code while Postgres starts. */
  async #migrateIn(starting: Promise<Infrastructure>, secrets: StackSecrets): Promise<void> {
    const url = starting.then(({ databaseUrl }) => {
      this.#migratorUrl = urlFor(databaseUrl, migratorRole, secrets.roles[migratorRole] ?? '');
      return this.#migratorUrl;
    });
    const migrating = this.#places.length === 0 ? undefined : this.#migrate(url);
    const shown = async (work: Promise<void>) => {
      await url;
      await this.#progress.step('Migrations', work, () => 'schemas are up to date');
    };
    await Promise.all([url, migrating, migrating && shown(migrating)]);
  }

  async #startServices(
    secrets: StackSecrets,
    settings: Settings,
    { databaseUrl, nats }: Infrastructure,
    sandboxUrl: string,
  ): Promise<string[]> {
    if (this.#places.length === 0) return [];
    const { detour, sources } = this.#options;
    const baseUrls = this.#places.flatMap(({ port }) => (port ? [`http://${loopback}:${port}`] : []));
    const around = {
      directory: this.#directory,
      secrets,
      ...settings,
      inherited: inheritedEnvironment(this.#env),
      databaseUrl,
      nats,
      sandboxUrl,
      gatewayUrl: baseUrls[0],
      ownPorts: [
        ...[databaseUrl, nats.url, sandboxUrl].map(portOfAddress),
        ...this.#places.flatMap(({ port, metricsPort }) => [metricsPort, ...(port ? [port] : [])]),
      ],
      events: this.#group.events,
      sources,
    };
    const starting = this.#places.map(async (place) =>
      this.#group.start(serviceProcess(place, await detoured(place, around, detour))),
    );
    await this.#progress.step('Services', Promise.all(starting), (all) =>
      all.length === 1 ? 'one process' : `${all.length} processes`,
    );
    return baseUrls;
  }

  #migrate(url: string | Promise<string> = this.#migratorUrl): Promise<void> {
    return runMigrations({
      url,
      logFile: join(this.#directory.logs, 'migrate.log'),
      fromSources: this.#options.sources !== undefined,
      hasStarted: existsSync(this.#directory.demo),
    });
  }

  /** Assigns the ports of every process; returns the source of further ones. */
  async #placeServices(): Promise<() => number> {
    const { replicas = {}, builds = {}, small = false, port } = this.#options;
    const services = this.#services();
    const wanted = services.reduce((sum, name) => sum + (replicas[name] ?? 1), 0);
    const ports = await freePorts(2 * wanted + 2);
    const take = () => ports.pop() ?? 0;
    this.#places = placeServices({ services, replicas, small }, take, port || take()).map((place) => {
      const build = builds[place.name];
      return build ? { ...place, build } : place;
    });
    return take;
  }

  #publish(): void {
    if (this.#info === undefined || !this.#published) return;
    this.#info.pids = this.#group.pids;
    writeInfo(this.#directory.info, this.#info);
  }

  #stack(info: StackInfo, baseUrls: readonly string[]): Stack {
    const group = this.#group;
    return {
      info,
      baseUrls,
      processes: group.names,
      process: (name) => group.get(name),
      kill: (name, signal) => {
        group.get(name).kill(signal);
      },
      migrate: () => this.#group.track(this.#migrate()),
      whenReady: async () => {
        await Promise.all(group.names.map((name) => group.get(name).whenReady()));
      },
      stop: () => this.stop(),
    };
  }
}
