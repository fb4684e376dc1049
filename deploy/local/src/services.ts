import { join } from 'node:path';
import { type ServiceName, schemaOf, serviceNames } from '@stanza/contracts';
import { variableOf } from '@stanza/runtime';
import { chatAppSettings } from './chat.ts';
import type { StackDirectory } from './directory.ts';
import { consoleSettings, sessionSettings } from './identity.ts';
import { loopback } from './ports.ts';
import { projectRoot } from './project.ts';
import { serviceRole, urlFor } from './provision.ts';
import type { StackSecrets } from './secrets.ts';
import type { KnownSettings } from './settings.ts';
import { entryArguments, type FromSources, sourceStopTimeoutMs } from './sources.ts';
import { type ProcessEvents, SupervisedProcess } from './supervised-process.ts';
import { startPatienceMs } from './wait.ts';

// Not imported, which would load the web's `fetch` as well: 50 ms of each start.
const { get } = process.getBuiltinModule('node:http');

/** Number of processes of each service; 1 unless given. */
export type Replicas = Partial<Record<ServiceName, number>>;

/** A build of a service from another version. */
export interface Build {
  /** Its built `main.js`. */
  main: string;
  /** Names of the settings that it knows. */
  settings: ReadonlySet<string>;
}

/** One process and the ports it was given. */
export interface ServicePlace {
  /** Name of the process: the service's for the first replica, `<service>-2` for the second, `services` for several. */
  name: string;
  /** Those that it runs. */
  services: readonly ServiceName[];
  metricsPort: number;
  /** Only with a gateway. */
  port?: number;
  /** Given for a build of another version. */
  build?: Build;
}

/** Common facts of the processes of all services. */
export interface ServiceSurroundings {
  directory: StackDirectory;
  secrets: StackSecrets;
  known: KnownSettings;
  /** Variables that every process inherits. */
  inherited: Record<string, string>;
  /** The user's settings, which override those of the stack. */
  userSettings: Record<string, string>;
  databaseUrl: string;
  nats: { url: string; user?: string; password?: string };
  sandboxUrl: string;
  /** Address of the first gateway for browsers; undefined when none runs. */
  gatewayUrl: string | undefined;
  /** The ports of the stack itself on this machine. */
  ownPorts: readonly number[];
  events: ProcessEvents;
  /** Given when the services run from their sources. */
  sources?: FromSources | undefined;
}

/** The process that runs the first replica of every service, in a small stack. */
const allInOne = 'services';

/** What is run, and in which processes. */
export interface Placing {
  services: readonly ServiceName[];
  replicas: Replicas;
  /** True for the first replica of every service in one process. */
  small: boolean;
}

/** Names the processes to run and assigns their ports; each call of `take` returns a free port. */
export const placeServices = (
  { services, replicas, small }: Placing,
  take: () => number,
  gatewayPort: number,
): ServicePlace[] => {
  const wanted = serviceNames.filter((service) => services.includes(service));
  const first: readonly (readonly ServiceName[])[] =
    small && wanted.length > 1 ? [wanted] : wanted.map((it) => [it]);
  const further = wanted.flatMap((service) =>
    Array.from({ length: (replicas[service] ?? 1) - 1 }, (_, index) => ({
      name: `${service}-${index + 2}`,
      services: [service],
    })),
  );
  return [
    ...first.map((of) => ({ name: of.length > 1 ? allInOne : String(of[0]), services: of })),
    ...further,
  ].map((process, index) => ({
    ...process,
    metricsPort: take(),
    ...(process.services.includes('gateway') ? { port: index < first.length ? gatewayPort : take() } : {}),
  }));
};

/** The page of metrics of each process; of a process with several services, that of each service. */
export const metricsPages = (places: readonly ServicePlace[]): Record<string, string> =>
  Object.fromEntries(
    places.flatMap(({ name, services, metricsPort }) =>
      services.map((service) => {
        const page = `http://${loopback}:${metricsPort}/metrics`;
        return services.length === 1 ? [name, page] : [service, `${page}?service=${service}`];
      }),
    ),
  );

/** The settings of one service of a process. */
const settingsOf = (
  service: ServiceName,
  place: ServicePlace,
  around: ServiceSurroundings,
): readonly (readonly [string, string])[] => {
  const { secrets, nats } = around;
  const role = serviceRole(schemaOf(service));
  const settings: Record<string, string> = {
    // Allows receivers on this machine, whose addresses are otherwise refused; the ports of the stack stay refused.
    STANZA_DESTINATION_ALLOW: `${loopback}/32`,
    STANZA_DESTINATION_DENY: around.ownPorts.map((port) => `${loopback}:${port}`).join(','),
    STANZA_DESTINATION_TEST_HOSTS: loopback,
    STANZA_CHAT_API_URL: `${around.sandboxUrl}/api/`,
    STANZA_CHAT_SIGNING_SECRET: secrets.chat_signing_secret,
    STANZA_ENCRYPTION_KEYS: secrets.encryption_keys,
    STANZA_KEY_HASH_SECRETS: secrets.key_hash_secrets,
    STANZA_HOST: loopback,
    ...sessionSettings(around.sandboxUrl, around.userSettings),
    ...consoleSettings(around.gatewayUrl, around.sandboxUrl, secrets, around.userSettings),
    ...chatAppSettings(around.gatewayUrl, around.userSettings),
    // A developer waits for the restart, and there is no load balancer that must notice it.
    ...(around.sources === undefined ? {} : { STANZA_DRAIN_SECONDS: '0' }),
    ...around.userSettings,
    ...(place.port === undefined ? {} : { STANZA_PORT: String(place.port) }),
    STANZA_DATABASE_URL: urlFor(around.databaseUrl, role, secrets.roles[role] ?? ''),
    STANZA_NATS_URL: nats.url,
    STANZA_NATS_USER: nats.user ?? service,
    STANZA_NATS_PASSWORD: nats.password ?? secrets.nats[service] ?? '',
    STANZA_METRICS_PORT: String(place.metricsPort),
    STANZA_METRICS_HOST: loopback,
  };
  const known = place.build?.settings ?? around.known[service];
  return Object.entries(settings).filter(([name]) => known.has(name));
};

/** The environment of one process: inherited variables, and the settings that its services know. */
export const serviceEnvironment = (
  place: ServicePlace,
  around: ServiceSurroundings,
): Record<string, string> => {
  const { services } = place;
  const settings = services.flatMap((service) =>
    settingsOf(service, place, around).map(([name, value]): [string, string] => [
      services.length === 1 ? name : variableOf(service, name),
      value,
    ]),
  );
  return {
    ...around.inherited,
    ...(services.length === 1 ? {} : { STANZA_SERVICES: services.join() }),
    ...Object.fromEntries(settings),
  };
};

const argumentsOf = ({ name, services, build }: ServicePlace, sources: FromSources | undefined): string[] => {
  if (build !== undefined) return [build.main];
  const [service] = services;
  return services.length === 1
    ? entryArguments(join('services', String(service)), name, sources)
    : entryArguments('deploy/local', name, sources, 'run-services');
};

/** A service drains within 25 s after its leave; of several, the gateway before the others. */
const stopTimeoutMs = ({ services }: ServicePlace, env: Record<string, string>): number => {
  const drain = env.STANZA_DRAIN_SECONDS ?? env[variableOf('gateway', 'STANZA_DRAIN_SECONDS')] ?? 0;
  return (services.length > 1 ? 60_000 : 30_000) + 1_000 * Number(drain);
};

/** A process of one service or several, not yet started. */
export const serviceProcess = (place: ServicePlace, around: ServiceSurroundings): SupervisedProcess => {
  const env = serviceEnvironment(place, around);
  const { sources } = around;
  return new SupervisedProcess(
    {
      name: place.name,
      command: process.execPath,
      args: argumentsOf(place, sources),
      env,
      cwd: projectRoot,
      logFile: join(around.directory.logs, `${place.name}.log`),
      isReady: () => answersOk(`http://${loopback}:${place.metricsPort}/readyz`),
      stopSignal: 'SIGTERM',
      // Without its supervisor the broker and the database are gone, so it cannot finish its work.
      orphanSignal: 'SIGKILL',
      stopTimeoutMs: sources ? sourceStopTimeoutMs : stopTimeoutMs(place, env),
      readyTimeoutMs: startPatienceMs,
      staysDown: sources !== undefined,
    },
    around.events,
  );
};

/** True when an address answers 200. */
export const answersOk = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const request = get(url, { agent: false, timeout: 1_000 }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(false));
  });
