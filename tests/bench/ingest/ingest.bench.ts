import { createHash } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import { createQueue } from '@stanza/contracts';
import type { Api } from '../../kit/api.ts';
import type { World } from '../../kit/stack.ts';
import { liveTemplate } from '../../kit/templates.ts';
import { cpuText, median } from '../figures.ts';
import { inTurns, load, type Measured, medianCpu, rowOf, type Target } from '../http-load.ts';
import { onStackOf } from '../on-stack.ts';
import type { BenchMode, BenchRow } from '../row.ts';
import { versionOf } from '../surroundings.ts';
import { InsertFloor } from './floor.ts';
import type { InsertRound } from './insert-round.ts';
import { JobPeer } from './jobs.ts';

const eventsOfPush = 100;
/** An event of about 150 bytes. No two of a push are equal, since those of a push are compressed together. */
const eventOf = (number: number) => {
  const order = createHash('sha256').update(String(number)).digest('hex').slice(0, 24);
  const at = new Date(1_800_000_000_000 + number * 733).toISOString();
  return {
    service: 'checkout',
    level: 'warning',
    order,
    message: 'payment took too long',
    ms: 1_001 + number,
    at,
  };
};
const event = eventOf(0);
const what = `push of ${eventsOfPush} events, durable`;
const body = JSON.stringify({ events: Array.from({ length: eventsOfPush }, (_, at) => eventOf(at)) });
/** How many queues and events the growth is measured with. */
const sizes = {
  full: { queues: 1_000, events: 5_000_000 },
  check: { queues: 3, events: 1_000 },
} as const;
/** Seconds of load in which the log is measured. */
const secondsOfLog = { full: 8, check: 1 } as const;
/** Rows written by one statement while a table is filled. */
const fillChunk = 10_000;

/** Queues that gather for longer than the bench lasts, to a workspace that is not connected. */
const makeQueues = async (api: Api, count: number): Promise<string[]> => {
  const { id: template_id } = await liveTemplate(api);
  const paths: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const policy = { mode: 'rolling_window', window_seconds: 86_400, template_id, channel_id: 'C1000' };
    const { id } = await api.ok(createQueue, { body: { name: `Queue ${at}`, ...policy } });
    paths.push(`/v1/queues/${id}/events`);
  }
  return paths;
};

/** Fills the table of pushes with those of other batches. */
const fill = async ({ database }: World, organizationId: string, events: number): Promise<void> => {
  const pushes = Math.ceil(events / eventsOfPush);
  const packed = zstdCompressSync(JSON.stringify(JSON.parse(body).events));
  for (let done = 0; done < pushes; done += fillChunk) {
    await database.query(
      `insert into queue_ingest.event_pushes (organization_id, environment, batch_id, position, received_at,
         event_count, first_id, packed)
       select $1, 'production', gen_random_uuid(), 0, now(), $2, gen_random_uuid(), $3
       from generate_series(1, $4)`,
      [organizationId, eventsOfPush, packed, Math.min(fillChunk, pushes - done)],
    );
  }
  await database.query('analyze queue_ingest.event_pushes');
};

const rowsPerSecond = (measured: Measured[]): number => median(measured.map((it) => it.rate)) * eventsOfPush;

/** What one push costs, taken from what its side measured. */
interface Side {
  /** Rows a second, by turn. */
  rates: number[];
  cpu: Record<string, number>[];
}

const newSide = (): Side => ({ rates: [], cpu: [] });

const addTo = (side: Side, { rate, cpu }: InsertRound): void => {
  side.rates.push(rate);
  side.cpu.push(cpu);
};

const sideCpu = ({ cpu }: Side): string =>
  cpuText(
    Object.fromEntries(
      Object.keys(cpu[0] ?? {}).map((name) => [name, median(cpu.map((it) => it[name] ?? 0))]),
    ),
  );

const besides = (
  hots: Measured[],
  side: Side,
  facts: Pick<BenchRow, 'peer' | 'budget' | 'aim'>,
): BenchRow => {
  const [ours, theirs] = [rowsPerSecond(hots), median(side.rates)];
  return {
    what: `${what}, 64 clients, one queue`,
    ...facts,
    ours: `${Math.round(ours)} events/s`,
    theirs: `${Math.round(theirs)} rows/s`,
    ratio: ours / theirs,
    p50: `${median(hots.map((it) => it.p50))} ms`,
    p99: `${median(hots.map((it) => it.p99))} ms`,
    cpu: `${cpuText(medianCpu(hots))}; beside, for 100 rows, ${sideCpu(side)}`,
  };
};

/**
 * Bytes of the log that one push takes, the batch's own log and its delivery included. To be measured before the peers
 * have rows: Postgres vacuums those in the minute after, which writes each of their pages whole, 60 KiB for each push.
 */
const logOfPush = async ({ database }: World, hot: Target, mode: BenchMode): Promise<number> => {
  // Counted in the table, since those under way at the end of a load write their log too.
  const counted = async (): Promise<{ bytes: number; pushes: number }> => {
    const { rows } = await database.query<{ bytes: string; pushes: string }>(
      `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as bytes,
         (select count(*) from queue_ingest.pushes) as pushes`,
    );
    return { bytes: Number(rows[0]?.bytes), pushes: Number(rows[0]?.pushes) };
  };
  // Pages that change for the first time after a checkpoint are written whole, which tells nothing of a push.
  await database.query('checkpoint');
  const seconds = secondsOfLog[mode];
  await load(hot, body, seconds);
  const before = await counted();
  await load(hot, body, seconds);
  const after = await counted();
  return (after.bytes - before.bytes) / (after.pushes - before.pushes);
};

/** Pushes, the floor and the peer, in turns. */
const beside = async (
  world: World,
  hot: Target,
  floor: InsertFloor,
  peer: JobPeer,
  mode: BenchMode,
): Promise<BenchRow[]> => {
  const log = await logOfPush(world, hot, mode);
  const [floors, peers] = [newSide(), newSide()];
  const hots: Measured[] = [];
  for (let round = 0; round < (mode === 'full' ? 3 : 1); round += 1) {
    addTo(floors, await floor.measure(mode));
    addTo(peers, await peer.measure(mode));
    hots.push(...((await inTurns([hot], body, mode))[0] ?? []));
  }
  return [
    besides(hots, floors, {
      peer: 'floor: unnest inserts of 64 rows on 4 connections',
      budget: '≥ 0.8',
      aim: '≥ 1.2',
    }),
    besides(hots, peers, {
      peer: `addJobs of graphile-worker ${versionOf('graphile-worker')}, 100 jobs a call on 4 connections`,
      budget: '≥ 1.5',
      aim: '≥ 3',
    }),
    {
      what: `${what}: log written`,
      peer: 'a row for each event: 37 KiB',
      ours: `${(log / 1024).toFixed(1)} KiB`,
      theirs: '37 KiB',
      ratio: log / 1024 / 37,
      budget: '≤ 8 KiB',
      aim: '≤ 5 KiB',
    },
  ];
};

/** Few and many clients, and many queues instead of one. */
const growing = async (hot: Target, spread: Target, mode: BenchMode): Promise<BenchRow[]> => {
  const few = [1, 16].map((connections) => ({ ...hot, connections }));
  const [one = [], sixteen = [], all = []] = await inTurns([...few, hot], body, mode);
  const [many = [], single = []] = await inTurns([spread, hot], body, mode);
  const noBudget = { budget: '–', aim: '–' };
  return [
    rowOf(one, all, { what: `${what}, 1 client`, peer: '64 clients', ...noBudget }),
    rowOf(sixteen, all, { what: `${what}, 16 clients`, peer: '64 clients', ...noBudget }),
    rowOf(many, single, { what: `${what}, ${spread.paths?.length} queues`, peer: 'one queue', ...noBudget }),
  ];
};

/** Pushes of 100 events next to plain inserts and a job queue, by clients, and as queues and stored events grow. */
export const ingestBench = (mode: BenchMode = 'full'): Promise<BenchRow[]> => {
  const { queues, events } = sizes[mode];
  const tiers = { enterprise: { active_queues: queues, events_per_day: 1_000_000_000_000 } };
  const env = { STANZA_TIERS: JSON.stringify(tiers) };
  return onStackOf(mode, { env }, async ({ stack, world }) => {
    const { base_url, database_url, pids } = stack.info;
    const database = { url: database_url, pid: pids.postgres ?? 0 };
    const floor = await InsertFloor.open(database, event);
    const peer = await JobPeer.open(database, event);
    try {
      const organization = await world.newOrganization({ tier: 'enterprise', connected: false });
      const { key } = await organization.key();
      const paths = await makeQueues(world.api.with(key), queues);
      const headers = { authorization: `Bearer ${key}` };
      const hot: Target = { url: `${base_url}${paths[0]}`, headers, pids };
      const budgets = await beside(world, hot, floor, peer, mode);
      const growth = await growing(hot, { url: base_url, headers, paths, pids }, mode);
      const [empty = []] = await inTurns([hot], body, mode);
      await fill(world, organization.id, events);
      const [full = []] = await inTurns([hot], body, mode);
      const stored = `${what}, ${events.toLocaleString('en')} events stored`;
      const filled = rowOf(full, empty, { what: stored, peer: 'an empty table', budget: '–', aim: '–' });
      return [...budgets, ...growth, filled];
    } finally {
      await floor.close();
      await peer.close();
    }
  });
};
