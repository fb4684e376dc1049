import { settings as compile } from '@stanza/compile/config';
import { type ServiceName, serviceNames } from '@stanza/contracts';
import { settings as delivery } from '@stanza/delivery/config';
import { settings as gateway } from '@stanza/gateway/config';
import { settings as organization } from '@stanza/organization/config';
import { settings as queueIngest } from '@stanza/queue-ingest/config';
import { environmentsOf, loadSettings, SettingsError } from '@stanza/runtime';
import { settings as template } from '@stanza/template/config';
import { type Cluster, type Container, called, containersOf, type Workload } from '../cluster.ts';
import { environmentOf } from '../environment.ts';

/** The settings of each service. */
export const settingsOf = {
  organization,
  template,
  compile,
  delivery,
  'queue-ingest': queueIngest,
  gateway,
} satisfies Record<ServiceName, unknown>;

/** Variables that are for Node and the tracing, not for Stanza. */
const foreign = /^(NODE_OPTIONS$|OTEL_)/;

/** The services that a container runs. */
export const servicesOf = ({ name, args }: Container): readonly ServiceName[] =>
  name === 'service' ? serviceNames.filter((it) => args[0] === 'services' || args[0] === it) : [];

/** A service of a process, and the variables that are its own. */
export interface RunService {
  service: ServiceName;
  values: Record<string, string>;
}

/** The services of a container, each with its part of the environment. */
export const runServices = (container: Container, values: Record<string, string>): RunService[] => {
  const { STANZA_SERVICES: _, ...rest } = values;
  const known = servicesOf(container).map((name) => ({
    name,
    settings: Object.keys(settingsOf[name].shape),
  }));
  return environmentsOf(known, rest).map(({ service, env }) => ({
    service: service.name,
    values: Object.fromEntries(
      Object.entries(env).flatMap(([key, it]) => (it === undefined ? [] : [[key, it]])),
    ),
  }));
};

/** What each process's part in a container finds in its environment: one for each service, or the whole. */
export const environmentsIn = (cluster: Cluster, container: Container): Record<string, string>[] => {
  const { values } = environmentOf(cluster, container);
  return servicesOf(container).length === 0
    ? [values]
    : runServices(container, values).map((it) => it.values);
};

const refused = (read: () => unknown): readonly string[] => {
  try {
    read();
    return [];
  } catch (err) {
    if (err instanceof SettingsError) return err.problems;
    throw err;
  }
};

const ownProblems = ({ service, values }: RunService): string[] => {
  const unknown = Object.keys(values).filter((it) => !it.startsWith('STANZA_') && !foreign.test(it));
  return [
    ...unknown.map((it) => `no process reads ${it}`),
    ...(values.STANZA_NATS_USER === service ? [] : ['it is not its own user of the broker']),
    ...refused(() => loadSettings(settingsOf[service], values)),
  ];
};

const serviceProblems = (workload: Workload, container: Container, values: Record<string, string>) => {
  const services = servicesOf(container);
  if (services.length === 0) return [`its argument ${String(container.args[0])} is no service`];
  const misread = refused(() => runServices(container, values));
  return [
    ...(services.some((it) => it === workload.name) ? [] : [`it runs ${services.join(', ')}`]),
    ...(services.length === 1 || values.STANZA_SERVICES === 'all' ? [] : ['it is not told its services']),
    ...misread,
    ...(misread.length > 0 ? [] : runServices(container, values).flatMap(ownProblems)),
  ];
};

/** What the processes that are no service read. */
const needed: Record<string, readonly string[]> = {
  migrate: ['STANZA_MIGRATION_URL'],
  admin: ['NATS_URL'],
};

/**
 * Every process gets the settings that it knows and no others, all that it needs are there, and each has a value that
 * the process takes; what is referred to exists.
 */
export const settingRules = (cluster: Cluster): string[] =>
  cluster.workloads.flatMap((workload) =>
    containersOf(workload).flatMap((container) => {
      const { values, missing } = environmentOf(cluster, container);
      const lacking = (needed[container.name] ?? []).filter((it) => !values[it]);
      return [
        ...missing.map((it) => `there is no ${it}`),
        ...lacking.map((it) => `${it} is required`),
        ...(container.name === 'service' ? serviceProblems(workload, container, values) : []),
      ].map((problem) => `${called(workload)}, container ${container.name}: ${problem}`);
    }),
  );
