import { settings as compile } from '@stanza/compile/config';
import type { ServiceName } from '@stanza/contracts';
import { settings as delivery } from '@stanza/delivery/config';
import { settings as gateway } from '@stanza/gateway/config';
import { settings as organization } from '@stanza/organization/config';
import { settings as queueIngest } from '@stanza/queue-ingest/config';
import { loadSettings, SettingsError } from '@stanza/runtime';
import { settings as template } from '@stanza/template/config';
import type { z } from 'zod';
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

/** The service that a container runs, if it runs one. */
export const serviceOf = ({ name, args }: Container): ServiceName | undefined =>
  name === 'service' ? Object.values(nameOf).find((it) => it === args[0]) : undefined;

const nameOf = {
  organization: 'organization',
  template: 'template',
  compile: 'compile',
  delivery: 'delivery',
  'queue-ingest': 'queue-ingest',
  gateway: 'gateway',
} as const satisfies Record<ServiceName, ServiceName>;

const refused = (settings: z.ZodObject, values: Record<string, string>): readonly string[] => {
  try {
    loadSettings(settings, values);
    return [];
  } catch (err) {
    if (err instanceof SettingsError) return err.problems;
    throw err;
  }
};

const serviceProblems = (workload: Workload, container: Container, values: Record<string, string>) => {
  const service = serviceOf(container);
  if (service === undefined) return [`its argument ${String(container.args[0])} is no service`];
  const unknown = Object.keys(values).filter((it) => !it.startsWith('STANZA_') && !foreign.test(it));
  return [
    ...(service === workload.name ? [] : [`it runs ${service}`]),
    ...unknown.map((it) => `no process reads ${it}`),
    ...(values.STANZA_NATS_USER === service ? [] : ['it is not its own user of the broker']),
    ...refused(settingsOf[service], values),
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
