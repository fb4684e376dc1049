import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createQueue, type ServiceName, serviceNames } from '@stanza/contracts';
import { withClient } from '@stanza/local/database-client';
import { stackDirectory } from '@stanza/local/directory';
import { projectRoot } from '@stanza/local/project';
import { readSecrets, type StackSecrets } from '@stanza/local/secrets';
import type { QueryResultRow } from 'pg';
import pg from 'pg';
import { makeBuilds } from '../chaos/builds.ts';
import { Clocks } from '../chaos/clocks.ts';
import { processNames } from '../chaos/schedule.ts';
import { type LocalCluster, startCluster } from '../cluster/cluster.ts';
import type { Api } from '../kit/api.ts';
import { mixedLoad } from '../kit/mixed-load.ts';
import { KeptConnection, type LoadKind } from '../kit/steady-load.ts';
import { liveTemplate } from '../kit/templates.ts';
import { startExporters } from './exporters.ts';
import { Prometheus, type Target } from './prometheus.ts';

/** What causes of alerts have to do with. */
export interface Around {
  cluster: LocalCluster;
  prometheus: Prometheus;
  /** Series that the test tells instead of an exporter, by name and labels. */
  fed: Map<string, number>;
  clocks: Clocks;
  secrets: StackSecrets;
  organizationId: string;
  api: Api;
  templateId: string;
  queueId: string;
  /** Steady work of all kinds, a quarter of what the other levels make. */
  kinds: readonly LoadKind[];
  connect(): KeptConnection;
  /** Runs a statement as superuser at the primary. */
  sql<T extends QueryResultRow>(text: string, values?: unknown[]): Promise<T[]>;
  /** Keeps what a statement locks; answers what lets it go. */
  hold(text: string, values?: unknown[]): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** The names of both replicas of a service. */
export const replicasOf = (name: ServiceName): [string, string] => [name, `${name}-2`];

const calm = 4;

const targetsOf = ({ stack }: LocalCluster): Target[] =>
  serviceNames.flatMap((job) =>
    replicasOf(job).map((instance) => ({ job, instance, url: stack.info.metrics[instance] ?? '' })),
  );

const holdOn = async (url: string, text: string, values: unknown[]): Promise<() => Promise<void>> => {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  await client.connect();
  await client.query('begin');
  await client.query(text, values);
  return () => client.end();
};

const surroundingsOf = async (cluster: LocalCluster) => {
  const organization = await cluster.world.newOrganization({ tier: 'enterprise', credits: 1_000_000 });
  const { key } = await organization.key();
  const api = cluster.world.api.with(key);
  const { id: templateId } = await liveTemplate(api);
  const policy = { mode: 'fixed_volume', threshold: 10, template_id: templateId, channel_id: 'C1999' };
  const { id: queueId } = await api.ok(createQueue, { body: { name: 'Digest', ...policy } });
  const kinds = mixedLoad(templateId, queueId).map((it) => ({ ...it, everyMs: calm * it.everyMs }));
  const connect = () => new KeptConnection(cluster.url, key);
  return { organizationId: organization.id, api, templateId, queueId, kinds, connect };
};

/** Starts a cluster, what measures it, and an organization that uses it. */
export const startAround = async (): Promise<Around> => {
  const opened = new AsyncDisposableStack();
  try {
    const directory = await mkdtemp(join(tmpdir(), 'stanza-alerts-'));
    opened.defer(() => rm(directory, { recursive: true, force: true }));
    const clocks = new Clocks(join(directory, 'clocks'), processNames);
    const builds = await makeBuilds({ folder: join(directory, 'builds'), tree: projectRoot, clocks });
    await appendFile(
      builds['compile-2']?.main ?? '',
      "process.on('SIGUSR2', () => void Promise.reject(new Error('of a test')));\n",
    );
    const cluster = await startCluster({
      directory,
      builds,
    });
    opened.defer(() => cluster.close());
    const { primary, standby } = cluster.postgres;
    const exporters = await startExporters({ primary: primary.url, standby: standby.url });
    opened.defer(() => exporters.close());
    const prometheus = await Prometheus.start(directory, [...targetsOf(cluster), ...exporters.targets]);
    opened.defer(() => prometheus.stop());
    return {
      cluster,
      prometheus,
      fed: exporters.fed,
      clocks,
      secrets: readSecrets(stackDirectory(directory).secrets),
      ...(await surroundingsOf(cluster)),
      sql: (text, values = []) =>
        withClient(primary.url, async (client) => (await client.query(text, values)).rows),
      hold: (text, values = []) => holdOn(primary.url, text, values),
      close: () => opened.disposeAsync(),
    };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
};
