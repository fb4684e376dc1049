import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuthorizationError, connect } from '@nats-io/transport-node';
import { type CallerName, settleReservation } from '@stanza/contracts';
import { clusterSecrets, finished, rotated, waitUntil } from '@stanza/local';
import {
  type Broker,
  connectBroker,
  createMetrics,
  handle,
  NatsRpcClient,
  newContext,
  noTracing,
  RpcServer,
  silentLogger,
  systemClock,
} from '@stanza/runtime';
import { someWork } from '@stanza/runtime/testing/jobs';
import { limits } from '@stanza/test-kit/limits';
import { z } from 'zod';
import { readCluster } from './cluster.ts';
import { type NatsNode, natsNodes } from './nats-nodes.ts';
import { render } from './render.ts';

const overlay = (name: string) =>
  render(join(import.meta.dirname, '../../../deploy/kubernetes/overlays', name));

const secrets = await clusterSecrets('postgres://db.example:5432/stanza', 'stanza');
const clusterOf = (name: string) => readCluster([...overlay(name), ...secrets.items]);

/** How a process logs in by its Secret. */
const loginOf = (caller: string, { items } = secrets): { user: string; password: string } => {
  const { STANZA_NATS_USER: user = '', STANZA_NATS_PASSWORD: password = '' } =
    items.find((it) => it.metadata.name === caller)?.stringData ?? {};
  return { user, password };
};

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

const connectAs = (caller: CallerName, url: string, from = secrets): Promise<Broker> =>
  connectBroker({
    url,
    ...loginOf(caller, from),
    caller,
    log: silentLogger(),
    patienceMs: limits.conditionMs,
  });

/** What `/routez` tells, as far as it is looked at. */
const routesSchema = z.object({ routes: z.array(z.object({ remote_name: z.string() })).default([]) });

const peersOf = async ({ monitor }: NatsNode): Promise<string[]> => {
  const { routes } = routesSchema.parse(await (await fetch(`${monitor}/routez`)).json());
  return [...new Set(routes.map((it) => it.remote_name))].sort();
};

let folder: string;
let nodes: NatsNode[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stanza-nats-'));
  nodes = await natsNodes(clusterOf('production'), folder);
  await Promise.all(nodes.map((it) => it.process.start()));
});

afterAll(async () => {
  await Promise.all(nodes.map((it) => it.process.stop()));
  await rm(folder, { recursive: true, force: true });
});

/** The node that a connection is at. */
const nodeOf = (broker: Broker): NatsNode | undefined =>
  nodes.find(({ url }) => url === `nats://${broker.nats.getServer()}`);

/** Calls an operation of organization as delivery, each connected to its own node, until it is answered. */
const callAcross = async (organizationUrl: string, deliveryUrl: string): Promise<boolean> => {
  const [server, client] = await Promise.all([
    connectAs('organization', organizationUrl),
    connectAs('delivery', deliveryUrl),
  ]);
  const handlers = [handle(settleReservation, async () => ({}))];
  new RpcServer({ ...parts(), broker: server, service: 'organization', handlers, concurrency: 8 });
  const rpc = new NatsRpcClient({ ...parts(), broker: client });
  const isAnswered = await inTheEnd(() =>
    rpc.call(settleReservation, someWork(1), newContext({ deadlineMs: 1_000 })),
  );
  await Promise.all([server.close(), client.close()]);
  return isAnswered;
};

const isHealthy = async ({ monitor }: NatsNode): Promise<boolean> => {
  try {
    return (await fetch(`${monitor}/healthz`)).ok;
  } catch {
    // It does not listen yet.
    return false;
  }
};

const parts = () => ({
  log: silentLogger(),
  metrics: createMetrics({ service: 'test', processMetrics: false }),
  tracing: noTracing,
  clock: systemClock,
});

/** Calls of delivery that two processes of organization answer, eight at a time, until it is ended. */
const steadyCalls = async (url: string) => {
  let calls = 0;
  let isOver = false;
  const failures: unknown[] = [];
  // Some work takes longer than a process needs to leave a node.
  const work = handle(settleReservation, async () => (++calls % 10 === 0 ? pause(1_500, {}) : {}));
  const serve = async (from = secrets) => {
    const broker = await connectAs('organization', url, from);
    const handlers = [work];
    const server = new RpcServer({ ...parts(), broker, service: 'organization', handlers, concurrency: 64 });
    await broker.nats.flush();
    return {
      end: async () => {
        await server.drain();
        await broker.close();
      },
    };
  };
  const connectClient = async (from = secrets) => {
    const broker = await connectAs('delivery', url, from);
    return { broker, rpc: new NatsRpcClient({ ...parts(), broker }) };
  };
  const servers = [await serve(), await serve()];
  let client = await connectClient();
  const callOn = async (): Promise<void> => {
    while (!isOver) {
      const call = client.rpc.call(settleReservation, someWork(1), newContext({ deadlineMs: 15_000 }));
      await call.catch((err: unknown) => failures.push(err));
      await pause(5);
    }
  };
  const running = Array.from({ length: 8 }, callOn);
  return {
    /** Resolves once this many more calls were begun. */
    more: async (count: number) => {
      const from = calls;
      await waitUntil(async () => calls >= from + count, patience);
    },
    /** Replaces the processes, one after the other, by ones with other Secrets. */
    replace: async (from: typeof secrets) => {
      for (const former of servers.splice(0, 2)) {
        servers.push(await serve(from));
        await former.end();
      }
      const { broker } = client;
      client = await connectClient(from);
      return broker;
    },
    /** Ends it. @returns the failures */
    end: async () => {
      isOver = true;
      await Promise.all(running);
      await Promise.all([client.broker.close(), ...servers.map((it) => it.end())]);
      return failures;
    },
  };
};

/**
 * Restarts the nodes one after the other, as Kubernetes does: in lame duck mode, and each once the one before is back.
 */
const restartAll = async (load: { more: (count: number) => Promise<void> }): Promise<void> => {
  for (const node of nodes) {
    const { pid } = node.process;
    await load.more(50);
    node.process.kill('SIGUSR2');
    const isBack = await waitUntil(
      async () => node.process.pid !== undefined && node.process.pid !== pid && (await isHealthy(node)),
      patience,
    );
    expect(isBack).toBe(true);
  }
  await load.more(50);
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
    const [node] = nodes;
    expect(await waitUntil(async () => node !== undefined && isHealthy(node), patience)).toBe(true);
  });

  it('loses no connection to a node that hangs: it goes on at another', async () => {
    const all = nodes.map(({ url }) => url).join(',');
    const broker = await connectAs('organization', all);
    const hanging = nodeOf(broker);
    if (!hanging?.process.kill('SIGSTOP')) throw new Error('the connection is at no node');
    const others = nodes.filter((it) => it !== hanging);
    const isElsewhere = await waitUntil(
      () => others.some((it) => it === nodeOf(broker)) && broker.connected,
      patience,
    );
    expect(isElsewhere).toBe(true);
    expect(await callAcross(others[0]?.url ?? '', others[1]?.url ?? '')).toBe(true);
    hanging.process.kill('SIGCONT');
    await broker.close();
  });

  it('fails no call while its nodes are restarted one after the other as planned', async () => {
    const load = await steadyCalls(nodes.map(({ url }) => url).join(','));
    await restartAll(load);
    expect(await load.end()).toEqual([]);
  });

  it('fails no call while the passwords of all processes are rotated, and refuses the former ones afterwards', async () => {
    const load = await steadyCalls(nodes.map(({ url }) => url).join(','));
    const give = async (to: typeof secrets) => {
      const file = to.items.find((it) => it.metadata.name === 'nats')?.stringData['passwords.conf'] ?? '';
      for (const { passwordFile } of nodes) await writeFile(passwordFile, file);
    };
    const during = rotated(secrets);
    await give(during);
    await restartAll(load);
    const left = await load.replace(during);
    await load.more(50);
    const afterwards = finished(during);
    await give(afterwards);
    await restartAll(load);
    // A process that was not restarted in time.
    expect(await waitUntil(async () => !left.connected, patience)).toBe(true);
    await left.close();
    const failures = await load.end();
    await give(secrets);
    for (const { process } of nodes) {
      await process.stop();
      await process.start();
    }
    expect(failures).toEqual([]);
  });

  it('carries a call from one node to another, also when the third is killed', async () => {
    const [one, two, third] = nodes;
    expect(await callAcross(one?.url ?? '', third?.url ?? '')).toBe(true);
    await third?.process.stop();
    expect(await callAcross(`${third?.url},${one?.url}`, two?.url ?? '')).toBe(true);
  });

  it('refuses a user with the password of another', async () => {
    const url = nodes[0]?.url ?? '';
    const refused = await waitUntil(async () => {
      const attempt = { servers: url, user: 'gateway', pass: loginOf('template').password, reconnect: false };
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
  it('is one node, which carries calls', async () => {
    const [node] = await natsNodes(clusterOf('small'), join(folder, 'small'));
    if (node === undefined) throw new Error('there is no node');
    await node.process.start();
    expect(await callAcross(node.url, node.url)).toBe(true);
    await node.process.stop();
  });
});
