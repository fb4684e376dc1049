import { join } from 'node:path';
import { type ServiceName, serviceNames, streamKeeper } from '@stanza/contracts';
import { type Detour, detoured } from './detours.ts';
import { prepareDirectory, type StackDirectory, stackDirectory } from './directory.ts';
import { releaseLock, takeLock } from './directory-lock.ts';
import { inheritedEnvironment } from './environment.ts';
import { StackFailure } from './failure.ts';
import { identityUrlOf } from './identity.ts';
import { removeInfo, type StackInfo, writeInfo } from './info.ts';
import { type Infrastructure, startInfrastructure } from './infrastructure.ts';
import { keepLogsSmall } from './logs.ts';
import { type NatsAddress, natsUrlFor } from './nats/address.ts';
import { natsUsers } from './nats/config.ts';
import { freePorts, loopback } from './ports.ts';
import { endLeftovers, ProcessGroup } from './process-group.ts';
import type { ProcessIdentity } from './process-identity.ts';
import { type Progress, silentProgress } from './progress.ts';
import { databaseRoles, migratorRole, urlFor } from './provision.ts';
import { runMigrations } from './run-migrations.ts';
import { sandboxProcess } from './sandbox.ts';
import { loadSecrets, type StackSecrets } from './secrets.ts';
import { seedDemo } from './seed.ts';
import {
  type Build,
  placeServices,
  type Replicas,
  type ServicePlace,
  type ServiceSurroundings,
  serviceProcess,
} from './services.ts';
import { loadKnownSettings, userSettings } from './settings.ts';
import type { FromSources } from './sources.ts';
import { keepStreams, streamReplicas } from './streams.ts';
import type { SupervisedProcess } from './supervised-process.ts';

/** How to start a stack. */
export interface StackOptions {
  /** Where its data, secrets and logs are; one stack at a time runs in a folder. */
  directory: string;
  /** Port of the (first) gateway; 0, the default, takes any free one. */
  port?: number;
  /** How many processes of each service; one where nothing is said. */
  replicas?: Replicas;
  /** Builds of other versions, by the name of the process that runs them: `delivery-2`, for one. */
  builds?: Readonly<Record<string, Build>>;
  /** Which services run; all unless said otherwise. */
  services?: readonly ServiceName[];
  /** Variables besides those of this process, and before them: settings, `DATABASE_URL`, `NATS_URL`, `OTEL_*` … */
  env?: Record<string, string | undefined>;
  /** Whether to make the demo organizations; by default yes, where all services run. */
  seed?: boolean;
  progress?: Progress;
  /** Leads each process of a service by ways of its own to what it stands on; the straight ones unless said otherwise. */
  detour?: Detour;
  /** Called when a process keeps dying: its name, how often in a row, its last lines. */
  onCrashLoop?: (name: string, deaths: number, lines: string[]) => void;
  /** Runs services, sandbox and migrations from their sources; from what was built unless said otherwise. */
  sources?: FromSources;
  /** Called when a process that runs from its source has died and stays down: its name, and how it ended. */
  onDown?: (name: string, how: string) => void;
  /** Ends a start that is under way; whatever it began is ended too. */
  signal?: AbortSignal;
}

/** A running stack. */
export interface Stack {
  /** What `stack.json` holds; `pids` is current at each reading. */
  readonly info: StackInfo;
  /** Addresses of all gateways, where there are several. */
  readonly baseUrls: readonly string[];
  /** Names of all its processes. */
  readonly processes: readonly string[];
  /** One process, to stop it, start it again, or wait for it. */
  process(name: string): SupervisedProcess;
  /** Sends a signal to one process; what dies of it is started again. */
  kill(name: string, signal: NodeJS.Signals): void;
  /** Brings the database up to date, with those migrations that there are now. */
  migrate(): Promise<void>;
  /** Waits until every process is ready. */
  whenReady(): Promise<void>;
  /** Ends all of it in order. */
  stop(): Promise<void>;
}

/**
 * Starts Postgres, NATS, the sandbox and the services, brings the database up to date, makes the demo
 * organizations, and writes `stack.json`. Fails with a StackFailure that says what to do; nothing runs on then.
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

/** What a start is told where another stack runs in the folder. */
export const alreadyRuns = ({ root }: StackDirectory, { pid }: ProcessIdentity): StackFailure =>
  new StackFailure(
    `A stack already runs in ${root} (process ${pid}).`,
    'Use that one, or end it with "npm stop".',
  );

/** Ports of addresses that name none. */
const usualPorts: Record<string, number> = {
  'postgres:': 5432,
  'postgresql:': 5432,
  'nats:': 4222,
  'tls:': 4222,
};

const portOf = (address: string): number => {
  const { port, protocol } = new URL(address);
  return port === '' ? (usualPorts[protocol] ?? 80) : Number(port);
};

/** The stages in which a stack is started; it is stopped in reverse. */
const stages: readonly (readonly ServiceName[])[] = [
  ['organization', 'template', 'compile', 'delivery', 'queue-ingest'],
  ['gateway'],
];

type Settings = Pick<ServiceSurroundings, 'known' | 'userSettings'>;

/** A stack on its way up, and what is needed to take it down again. */
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
  #ending = new AbortController();
  #endStreams: () => Promise<void> = async () => {};
  #endLogCare: () => void;

  constructor(directory: StackDirectory, options: StackOptions) {
    this.#directory = directory;
    this.#options = options;
    this.#env = { ...process.env, ...options.env };
    this.#progress = options.progress ?? silentProgress;
    this.#group = new ProcessGroup(directory.processes, () => this.#publish(), {
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
      const abort = () =>
        reject(new StackFailure('The start was interrupted.', 'Start again when you like.'));
      if (signal.aborted) abort();
      signal.addEventListener('abort', abort, { once: true });
    });
    return Promise.race([starting, aborted]);
  }

  async stop(): Promise<void> {
    const named = (services: readonly ServiceName[]) =>
      this.#places.filter((it) => services.includes(it.service)).map((it) => it.name);
    this.#published = false;
    await removeInfo(this.#directory.info);
    this.#ending.abort();
    await this.#endStreams();
    await this.#group.stop([['postgres'], ['nats'], ['sandbox'], ...stages.map(named)]);
    this.#endLogCare();
    releaseLock(this.#directory.lock);
  }

  async #start(): Promise<Stack> {
    await endLeftovers(this.#directory.processes);
    await removeInfo(this.#directory.info);
    const secrets = await loadSecrets(this.#directory.secrets, { roles: databaseRoles, nats: natsUsers });
    const settings = await this.#checkSettings();
    const infrastructure = await this.#startInfrastructure(secrets);
    const { databaseUrl } = infrastructure;
    this.#migratorUrl = urlFor(databaseUrl, migratorRole, secrets.roles[migratorRole] ?? '');
    await this.#keepStreams(secrets, settings, infrastructure.nats);
    const { baseUrls, sandboxUrl } = await this.#startServices(secrets, settings, infrastructure);
    const { nats } = infrastructure;
    const admin = { user: nats.user ?? 'admin', password: nats.password ?? secrets.nats.admin ?? '' };
    const base_url = baseUrls[0] ?? '';
    this.#info = {
      base_url,
      sandbox_url: sandboxUrl,
      identity_url: identityUrlOf(sandboxUrl),
      identity_secret: secrets.identity_secret,
      database_url: databaseUrl,
      nats_url: natsUrlFor(nats, admin.user, admin.password),
      metrics: Object.fromEntries(
        this.#places.map((it) => [it.name, `http://${loopback}:${it.metricsPort}/metrics`]),
      ),
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

  #startInfrastructure(secrets: StackSecrets): Promise<Infrastructure> {
    return startInfrastructure({
      directory: this.#directory,
      secrets,
      env: this.#env,
      group: this.#group,
      progress: this.#progress,
    });
  }

  /** A setting that nobody knows ends a start before it has taken long. */
  async #checkSettings(): Promise<Settings> {
    const known = await loadKnownSettings();
    return { known, userSettings: userSettings(known, this.#env) };
  }

  /** Streams and consumers are there before the services, which may not make any. */
  async #keepStreams({ nats }: StackSecrets, { userSettings: set }: Settings, address: NatsAddress) {
    if (this.#services().length === 0) return;
    const keeping = keepStreams({
      user: streamKeeper,
      password: nats[streamKeeper] ?? '',
      ...address,
      replicas: streamReplicas(set.STANZA_STREAM_REPLICAS),
      signal: this.#ending.signal,
    });
    this.#endStreams = await this.#progress.step('Streams', this.#group.track(keeping), () => 'are there');
  }

  /** The sandbox starts while the migrations run; it is there before the first message. */
  async #startServices(secrets: StackSecrets, settings: Settings, { databaseUrl, nats }: Infrastructure) {
    const take = await this.#placeServices();
    if (this.#places.length === 0) return { baseUrls: [], sandboxUrl: '' };
    const directory = this.#directory;
    const { events } = this.#group;
    const gateway = this.#places.find((it) => it.port !== undefined);
    const app = {
      url: `http://${loopback}:${gateway?.port ?? 0}/v1/chat/interactions`,
      signingSecret: settings.userSettings.STANZA_CHAT_SIGNING_SECRET ?? secrets.chat_signing_secret,
    };
    const logFile = join(directory.logs, 'sandbox.log');
    const { detour, sources } = this.#options;
    const { identity_secret: identitySecret } = secrets;
    const sandbox = sandboxProcess({ port: take(), logFile, events, app, identitySecret, sources });
    await Promise.all([
      this.#progress.step('Migrations', this.#migrate(), () => 'schemas are up to date'),
      this.#progress.step('Sandbox', this.#group.start(sandbox.process), () => sandbox.url),
    ]);
    const baseUrls = this.#places.flatMap(({ port }) => (port ? [`http://${loopback}:${port}`] : []));
    const around = {
      directory,
      secrets,
      ...settings,
      inherited: inheritedEnvironment(this.#env),
      databaseUrl,
      nats,
      sandboxUrl: sandbox.url,
      gatewayUrl: baseUrls[0],
      ownPorts: [
        ...[databaseUrl, nats.url, sandbox.url].map(portOf),
        ...this.#places.flatMap(({ port, metricsPort }) => [metricsPort, ...(port ? [port] : [])]),
      ],
      events,
      sources,
    };
    const starting = this.#places.map(async (place) =>
      this.#group.start(serviceProcess(place, await detoured(place, around, detour))),
    );
    await this.#progress.step('Services', Promise.all(starting), (all) => `${all.length} processes`);
    return { baseUrls, sandboxUrl: sandbox.url };
  }

  #migrate(): Promise<void> {
    return runMigrations({
      url: this.#migratorUrl,
      logFile: join(this.#directory.logs, 'migrate.log'),
      fromSources: this.#options.sources !== undefined,
    });
  }

  /** Gives every process its ports; answers where to take further ones from. */
  async #placeServices(): Promise<() => number> {
    const { replicas = {}, builds = {}, port } = this.#options;
    const services = this.#services();
    const wanted = services.reduce((sum, name) => sum + (replicas[name] ?? 1), 0);
    const ports = await freePorts(2 * wanted + 2);
    const take = () => ports.pop() ?? 0;
    this.#places = placeServices(services, replicas, take, port || take()).map((place) => {
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
