import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serviceNames } from '@stanza/contracts';
import { loginsOf, natsUsers, type Stack, type StackOptions, startStack } from '@stanza/local';
import { stackDirectory } from '@stanza/local/directory';
import { haproxyConfig } from '@stanza/local/machines/haproxy';
import { natsPasswordsFile } from '@stanza/local/nats/users-file';
import { databaseRoles } from '@stanza/local/provision';
import { loadSecrets, newPassword, type StackSecrets } from '@stanza/local/secrets';
import { answersOk } from '@stanza/local/services';
import { freePorts, SupervisedProcess } from '@stanza/test-kit/database';
import { readCluster } from '../deploy/kubernetes/cluster.ts';
import { type NatsNode, natsNodes } from '../deploy/kubernetes/nats-nodes.ts';
import { render } from '../deploy/kubernetes/render.ts';
import { openWorld, type World } from '../kit/stack.ts';
import { type PostgresPair, portOf, startPair } from './postgres.ts';

/** All of a cluster on this machine: what docs/vms.md and docs/kubernetes.md put on several. */
export interface LocalCluster {
  stack: Stack;
  world: World;
  nats: readonly NatsNode[];
  postgres: PostgresPair;
  /** The address of HAProxy. */
  url: string;
  close(): Promise<void>;
}

/** The Secret of NATS, with the passwords of the stack. */
const natsSecret = ({ nats }: StackSecrets) => {
  const passwords = natsUsers.flatMap((user): [string, string][] => {
    const [first, second] = loginsOf(user);
    return [
      [first, nats[user] ?? ''],
      [second, newPassword()],
    ];
  });
  const stringData = {
    ROUTE_PASSWORD: newPassword(),
    'passwords.conf': natsPasswordsFile(new Map(passwords)),
  };
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'nats' }, stringData };
};

/** Three servers with the configuration of the production overlay. */
const startNats = async (secrets: StackSecrets, folder: string): Promise<NatsNode[]> => {
  const overlay = join(import.meta.dirname, '../../deploy/kubernetes/overlays/production');
  const nodes = await natsNodes(readCluster([...render(overlay), natsSecret(secrets)]), folder);
  await Promise.all(nodes.map((it) => it.process.start()));
  return nodes;
};

const startProxy = async (stack: Stack, folder: string) => {
  const [port = 0] = await freePorts(1);
  const gateways = stack.baseUrls.map((url, index) => {
    const name = index === 0 ? 'gateway' : `gateway-${index + 1}`;
    const metrics = new URL(stack.info.metrics[name] ?? '');
    return { name, host: '127.0.0.1', port: Number(new URL(url).port), metricsPort: Number(metrics.port) };
  });
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, haproxyConfig(`127.0.0.1:${port}`, gateways));
  const proxy = new SupervisedProcess({
    name: 'haproxy',
    command: '/usr/sbin/haproxy',
    args: ['-db', '-f', file],
    env: {},
    cwd: folder,
    logFile: join(folder, 'haproxy.log'),
    // It takes gateways only once they have answered its looks.
    isReady: () => answersOk(`http://127.0.0.1:${port}/readyz`),
    stopSignal: 'SIGTERM',
    orphanSignal: 'SIGKILL',
    stopTimeoutMs: 5_000,
    readyTimeoutMs: 30_000,
  });
  await proxy.start();
  return { proxy, url: `http://127.0.0.1:${port}` };
};

/** What a cluster is started with; the folder is of its own unless given. */
export type ClusterOptions = Partial<Pick<StackOptions, 'directory' | 'builds' | 'env' | 'detour'>>;

const ownFolder = async (opened: AsyncDisposableStack): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), 'stanza-cluster-'));
  opened.defer(() => rm(directory, { recursive: true, force: true }));
  return directory;
};

/** Starts three NATS, a primary and a standby, pgbouncer, two replicas of each service, and HAProxy before the gateways. */
export const startCluster = async (options: ClusterOptions = {}): Promise<LocalCluster> => {
  const { builds, env, detour = (_process, _to, { port }) => Promise.resolve(port) } = options;
  const opened = new AsyncDisposableStack();
  try {
    const directory = options.directory ?? (await ownFolder(opened));
    const folder = join(directory, 'cluster');
    await mkdir(folder);
    const file = stackDirectory(directory).secrets;
    const secrets = await loadSecrets(file, { roles: databaseRoles, nats: natsUsers });
    const nats = await startNats(secrets, folder);
    opened.defer(async () => void (await Promise.all(nats.map((it) => it.process.stop()))));
    const postgres = await startPair(folder, secrets.postgres, secrets.roles);
    opened.defer(() => postgres.close());
    const stack = await startStack({
      directory,
      seed: false,
      replicas: Object.fromEntries(serviceNames.map((name) => [name, 2])),
      ...(builds && { builds }),
      // Migrations go to Postgres itself, the services over pgbouncer.
      env: { DATABASE_URL: postgres.primary.url, NATS_URL: nats[0]?.url, STANZA_DATABASE_POOL: '5', ...env },
      detour: (process, to, address) =>
        detour(process, to, to === 'postgres' ? { ...address, port: Number(portOf(postgres.url)) } : address),
    });
    opened.defer(() => stack.stop());
    const { proxy, url } = await startProxy(stack, folder);
    opened.defer(() => proxy.stop());
    const world = await openWorld({ ...stack.info, base_url: url, database_url: postgres.url });
    opened.defer(() => world.close());
    // A failover ends idle connections of the test too.
    world.database.on('error', () => undefined);
    return { stack, world, nats, postgres, url, close: () => opened.disposeAsync() };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
};
