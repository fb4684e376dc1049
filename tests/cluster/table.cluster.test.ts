import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createQueue, serviceNames } from '@stanza/contracts';
import { eventsOfPush, mixedLoad } from '../kit/mixed-load.ts';
import type { TestOrganization } from '../kit/organization.ts';
import { isAnswered, SteadyLoad } from '../kit/steady-load.ts';
import { storedEvents } from '../kit/stored-events.ts';
import { liveTemplate } from '../kit/templates.ts';
import { waitFor } from '../kit/wait.ts';
import { type LocalCluster, startCluster } from './cluster.ts';
import { noticedOf, type Timed, TimedConnection } from './timed-connection.ts';

/** One thing that is broken, and how it is mended. */
interface Fault {
  name: string;
  /** The longest until all requests that are made succeed again, milliseconds. */
  limitMs: number;
  lastsMs: number;
  begin(cluster: LocalCluster): Promise<void> | void;
  end?(cluster: LocalCluster): Promise<void> | void;
}

const afterKillMs = 5_000;
const afterFreezeMs = 10_000;
/** Most of it is the wait of the services for their connections; postgres.md has it. */
const afterFailoverMs = 20_000;
const digestMs = 10_000;
/** A channel takes a message a second: with five pushes a second, a digest is posted every two. */
const pushesOfDigest = 10;
/** Milliseconds of load between two faults. */
const calmMs = 6_000;

const replica = (name: string): string => `${name}-2`;

const faults: readonly Fault[] = [
  {
    name: 'kill -9 of one of three NATS servers',
    limitMs: afterKillMs,
    lastsMs: 6_000,
    begin: ({ nats }) => nats[0]?.process.stop('SIGKILL'),
    end: ({ nats }) => nats[0]?.process.start(),
  },
  {
    name: 'a NATS server frozen for 20 s',
    limitMs: afterFreezeMs,
    lastsMs: 20_000,
    begin: ({ nats }) => nats[1]?.process.freeze(),
    end: ({ nats }) => nats[1]?.process.thaw(),
  },
  {
    name: 'kill -9 of two of three NATS servers',
    limitMs: afterKillMs,
    lastsMs: 6_000,
    begin: async ({ nats }) =>
      void (await Promise.all(nats.slice(1).map((it) => it.process.stop('SIGKILL')))),
    end: async ({ nats }) => void (await Promise.all(nats.slice(1).map((it) => it.process.start()))),
  },
  ...serviceNames.map((name) => ({
    name: `kill -9 of a ${name}`,
    limitMs: afterKillMs,
    lastsMs: 0,
    begin: ({ stack }: LocalCluster) => stack.kill(replica(name), 'SIGKILL'),
  })),
  ...serviceNames.map((name) => ({
    name: `a ${name} frozen for 20 s`,
    limitMs: afterFreezeMs,
    lastsMs: 20_000,
    begin: ({ stack }: LocalCluster) => stack.process(replica(name)).freeze(),
    end: ({ stack }: LocalCluster) => stack.process(replica(name)).thaw(),
  })),
  {
    name: 'kill -9 of pgbouncer',
    limitMs: afterKillMs,
    lastsMs: 0,
    begin: ({ postgres }) => void postgres.pooler.kill('SIGKILL'),
  },
  {
    name: 'kill -9 of the primary, promotion of its synchronous standby',
    limitMs: afterFailoverMs,
    lastsMs: 0,
    begin: ({ postgres }) => postgres.failOver(),
  },
];

/** Those whose name has this in it; all unless given. */
const wanted = new RegExp(process.env.CLUSTER_FAULTS ?? '');

describe('a cluster that is broken under load', () => {
  let cluster: LocalCluster;
  let organization: TestOrganization;
  let load: SteadyLoad;
  /** Closes the batch that the last pushes went into. */
  let flush: () => Promise<unknown>;
  const timed: Timed[] = [];
  const rows: (Pick<Fault, 'name' | 'limitMs'> & {
    failed: number;
    backMs: number;
    longestMs: number;
    digests: number;
    digestMs: number;
  })[] = [];

  beforeAll(async () => {
    cluster = await startCluster();
    organization = await cluster.world.newOrganization({ tier: 'enterprise', credits: 1_000_000 });
    const { key } = await organization.key();
    const api = cluster.world.api.with(key);
    const { id: template_id } = await liveTemplate(api);
    const policy = { mode: 'fixed_volume', threshold: pushesOfDigest * eventsOfPush, template_id };
    const body = { name: 'Digest', channel_id: 'C1999', ...policy };
    const queue = await api.ok(createQueue, { body });
    flush = () => api.post(`/v1/queues/${queue.id}/flush`);
    load = new SteadyLoad(
      mixedLoad(template_id, queue.id),
      () => new TimedConnection(cluster.url, key, timed),
    );
  });
  afterAll(async () => {
    await load?.stop();
    await cluster?.close();
  });

  /** The batches that closed since, and the longest that one of them has taken to its post; one that waits counts. */
  const digestsSince = async (since: number): Promise<{ digests: number; digestMs: number }> => {
    const { rows: found } = await cluster.world.database.query<{ digests: string; ms: string | null }>(
      `select count(*) as digests,
         max(extract(epoch from coalesce(ended_at, clock_timestamp()) - closed_at)) * 1000 as ms
       from queue_ingest.batches where closed_at >= to_timestamp($1 / 1000.0)`,
      [since],
    );
    return { digests: Number(found[0]?.digests), digestMs: Math.round(Number(found[0]?.ms ?? 0)) };
  };

  const isQuiet = async (): Promise<boolean> => {
    const { rows: open } = await cluster.world.database.query(
      `select 1 from queue_ingest.batches where status in ('closed', 'delivering', 'collecting') and event_count > 0
       union all select 1 from delivery.messages where status in ('accepted', 'posting')`,
    );
    return open.length === 0;
  };

  it.each(faults.filter((it) => wanted.test(it.name)))('is back after $name', async (fault) => {
    await pause(calmMs);
    const from = Date.now();
    await fault.begin(cluster);
    await pause(fault.lastsMs);
    await fault.end?.(cluster);
    await pause(calmMs);
    await cluster.stack.whenReady();
    const { failed, backMs, longestMs } = noticedOf(timed, from, Date.now());
    rows.push({ ...fault, failed, backMs, longestMs, ...(await digestsSince(from)) });
  });

  it('has lost nothing, and posted nothing twice', async () => {
    await load.stop();
    await flush();
    await waitFor('all work to end', isQuiet);
    const posts = await cluster.world.sandbox.allMessages();
    const keys = posts.map((it) => String(it.key));
    expect(keys.filter((it, index) => keys.indexOf(it) < index)).toEqual([]);

    const sends = ['send', 'keyed send'].flatMap((name) => load.met.get(name) ?? []).filter(isAnswered);
    const posted = new Set(keys);
    const lost = sends.map(({ text }) => String(JSON.parse(text).message_id)).filter((it) => !posted.has(it));
    expect(sends.length).toBeGreaterThan(0);
    expect(lost).toEqual([]);

    const pushes = (load.met.get('push') ?? []).filter(isAnswered);
    const events = await storedEvents(cluster.world.database, [organization.id]);
    const { rows: open } = await cluster.world.database.query(
      "select from queue_ingest.batches where organization_id = $1 and status <> 'delivered'",
      [organization.id],
    );
    const ids = new Set(events.map((it) => it.id));
    expect([events.length, open.length]).toEqual([ids.size, 0]);
    expect(ids.size).toBeGreaterThanOrEqual(pushes.length * eventsOfPush);
  });

  it('was back, and digests came, within the limits', () => {
    const lines = rows.map(
      (it) =>
        `| ${it.name} | ${it.failed} | ${it.backMs} | ${it.longestMs} | ${it.digests} | ${it.digestMs} |`,
    );
    process.stdout.write(
      `| fault | failed | back, ms | longest, ms | digests | slowest digest, ms |\n${lines.join('\n')}\n${timed.length} requests\n`,
    );
    const late = rows.filter((it) => it.backMs > it.limitMs || it.digestMs > Math.max(digestMs, it.limitMs));
    expect(late).toEqual([]);
    // A fault during which no batch closed shows nothing of digests.
    expect(rows.filter((it) => it.digests === 0)).toEqual([]);
  });
});
