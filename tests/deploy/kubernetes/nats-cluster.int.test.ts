import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuthorizationError, connect } from '@nats-io/transport-node';
import {
  messageDeclarations,
  type NatsUser,
  serviceNames,
  streamKeeper,
  streamNames,
  workStreamOf,
} from '@stanza/contracts';
import { clusterSecrets, waitUntil } from '@stanza/local';
import { type Broker, connectBroker, ensureStreams, silentLogger } from '@stanza/runtime';
import { limits } from '@stanza/test-kit/limits';
import { z } from 'zod';
import { readCluster } from './cluster.ts';
import { type NatsNode, natsNodes } from './nats-nodes.ts';
import { render } from './render.ts';

const overlay = (name: string) =>
  render(join(import.meta.dirname, '../../../deploy/kubernetes/overlays', name));

const secrets = await clusterSecrets('postgres://db.example:5432/stanza', 'stanza');
const clusterOf = (name: string) => readCluster([...overlay(name), ...secrets.items]);
const work = messageDeclarations.filter((it) => it.kind === 'work');

const passwordOf = (user: NatsUser): string =>
  secrets.items.find((it) => it.metadata.name === user)?.stringData.STANZA_NATS_PASSWORD ?? '';

/** A busy machine, and nodes that elect a leader, may need this long, milliseconds. */
const patience = { timeoutMs: limits.conditionMs, everyMs: 200 };

/** Whether something succeeds in the end. */
const inTheEnd = (attempt: () => Promise<unknown>): Promise<boolean> =>
  waitUntil(async () => {
    try {
      await attempt();
      return true;
    } catch {
      // The next attempt tells.
      return false;
    }
  }, patience);

const connectAs = (user: NatsUser, url: string): Promise<Broker> =>
  connectBroker({
    url,
    user,
    password: passwordOf(user),
    caller: user,
    log: silentLogger(),
    patienceMs: limits.conditionMs,
  });

/** What `/jsz` and `/routez` tell, as far as it is looked at. */
const streamsSchema = z.object({
  account_details: z.array(
    z.object({
      name: z.string(),
      stream_detail: z
        .array(
          z.object({
            name: z.string(),
            cluster: z.object({ replicas: z.array(z.object({ current: z.boolean() })).default([]) }),
            config: z.object({ num_replicas: z.number() }),
            consumer_detail: z.array(z.object({ name: z.string() })).default([]),
          }),
        )
        .default([]),
    }),
  ),
});
/** What JetStream says of a message that it has. */
const storedSchema = z.object({ stream: z.literal('WORK_QUEUE_INGEST'), seq: z.number() });
const routesSchema = z.object({ routes: z.array(z.object({ remote_name: z.string() })).default([]) });

const streamsAt = async ({ monitor }: NatsNode) => {
  const answer = await fetch(`${monitor}/jsz?acc=STANZA&consumers=true&config=true`);
  return streamsSchema.parse(await answer.json()).account_details;
};

const peersOf = async ({ monitor }: NatsNode): Promise<string[]> => {
  const { routes } = routesSchema.parse(await (await fetch(`${monitor}/routez`)).json());
  return [...new Set(routes.map((it) => it.remote_name))].sort();
};

let folder: string;
let nodes: NatsNode[] = [];
let brokers: Broker[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stanza-nats-'));
  nodes = await natsNodes(clusterOf('production'), folder);
  await Promise.all(nodes.map((it) => it.process.start()));
  brokers = await Promise.all(
    [...serviceNames, streamKeeper].map((user: NatsUser, index) =>
      connectAs(user, nodes[index % nodes.length]?.url ?? ''),
    ),
  );
});

afterAll(async () => {
  await Promise.all(brokers.map((it) => it.close()));
  await Promise.all(nodes.map((it) => it.process.stop()));
  await rm(folder, { recursive: true, force: true });
});

const brokerOf = (user: NatsUser): Broker => {
  const found = brokers.find((it) => it.caller === user);
  if (found === undefined) throw new Error(`${user} is not connected`);
  return found;
};

describe('the broker of production', () => {
  it('is three nodes that know each other', async () => {
    const all = nodes.map((it) => it.name);
    const complete = await waitUntil(
      async () => (await Promise.all(nodes.map(peersOf))).every((it) => it.length === 2),
      patience,
    );
    expect([complete, all]).toEqual([true, ['nats-0', 'nats-1', 'nats-2']]);
  });

  it('answers what its probes ask', async () => {
    const [{ monitor } = { monitor: '' }] = nodes;
    const paths = ['/healthz', '/healthz?js-server-only=true', '/healthz?js-enabled-only=true'];
    const isHealthy = await waitUntil(
      async () =>
        (await Promise.all(paths.map(async (path) => (await fetch(monitor + path)).ok))).every(Boolean),
      patience,
    );
    expect(isHealthy).toBe(true);
  });

  it('keeps three copies of every stream, each with the consumers by which the services are scaled', async () => {
    expect(await inTheEnd(() => ensureStreams(brokerOf(streamKeeper), 3))).toBe(true);
    const [node] = nodes;
    if (node === undefined) throw new Error('there is no node');
    const accounts = await streamsAt(node);
    const streams = accounts.flatMap((it) => it.stream_detail);
    expect(accounts.map((it) => it.name)).toEqual(['STANZA']);
    expect(streams.map((it) => [it.name, it.config.num_replicas]).sort()).toEqual(
      ['EVENTS', ...new Set(work.map((it) => workStreamOf(it.consumer)))].sort().map((it) => [it, 3]),
    );
    const consumers = streams.flatMap((it) => it.consumer_detail.map(({ name }) => `${it.name} ${name}`));
    expect(new Set(consumers)).toEqual(new Set(work.map((it) => `${workStreamOf(it.consumer)} ${it.name}`)));
  });

  it('goes on with two nodes', async () => {
    await nodes[2]?.process.stop();
    const remaining = await connectAs('delivery', `${nodes[0]?.url},${nodes[1]?.url}`);
    const stored = await inTheEnd(async () => {
      const reply = await remaining.nats.request('work.queue-ingest.report-batch', '{}', { timeout: 1_000 });
      return storedSchema.parse(reply.json());
    });
    await remaining.close();
    expect(stored).toBe(true);
  });

  it('refuses a user with the password of another', async () => {
    const url = nodes[0]?.url ?? '';
    const refused = await waitUntil(async () => {
      const attempt = { servers: url, user: 'gateway', pass: passwordOf('template'), reconnect: false };
      const error: unknown = await connect(attempt).catch((err: unknown) => err);
      return error instanceof AuthorizationError;
    }, patience);
    expect(refused).toBe(true);
  });

  it('does not let a node in that lacks the password of the nodes', async () => {
    const [stranger] = await natsNodes(clusterOf('production'), join(folder, 'stranger'), {
      'nats-0': { POD_NAME: 'stranger', ...(await routesTo(nodes)) },
    });
    if (stranger === undefined) throw new Error('there is no stranger');
    const starting = stranger.process.start();
    const log = join(folder, 'stranger/nats-0/nats.log');
    const refused = await waitUntil(
      async () =>
        /authentication error|authorization violation/i.test(await readFile(log, 'utf8').catch(() => '')),
      patience,
    );
    await stranger.process.stop();
    await starting.catch(() => undefined);
    expect(refused).toBe(true);
    expect(await peersOf(nodes[0] ?? stranger)).not.toContain('stranger');
  });
});

/** The routes of a node that guesses the password. */
const routesTo = async (known: readonly NatsNode[]): Promise<Record<string, string>> => {
  const entries = await Promise.all(
    known.map(async (it, index) => {
      const config = await readFile(join(folder, it.name, 'nats.conf'), 'utf8');
      const address = /listen: "(127\.0\.0\.1:\d+)"\n {2}#/.exec(config)?.[1];
      return [`ROUTE_${index}`, `"nats://route:guess@${address}"`];
    }),
  );
  return Object.fromEntries(entries);
};

describe('the broker of a small cluster', () => {
  it('is one node, which takes the streams as single copies', async () => {
    const [node] = await natsNodes(clusterOf('small'), join(folder, 'small'));
    if (node === undefined) throw new Error('there is no node');
    await node.process.start();
    const broker = await connectAs(streamKeeper, node.url);
    expect(await inTheEnd(() => ensureStreams(broker, 1))).toBe(true);
    const streams = (await streamsAt(node)).flatMap((it) => it.stream_detail);
    await broker.close();
    await node.process.stop();
    expect(streams.map((it) => [it.name, it.config.num_replicas]).sort()).toEqual(
      [...streamNames].sort().map((it) => [it, 1]),
    );
  });
});
