import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createQueue } from '@stanza/contracts';
import { startStack } from '@stanza/stack';
import type { Api } from '../../support/api.ts';
import { openWorld, type World } from '../../support/stack.ts';
import { liveTemplate } from '../../support/templates.ts';
import { inTurns, type Measured, median, rowOf, type Target } from '../http-load.ts';
import type { BenchMode, BenchRow } from '../row.ts';
import { InsertFloor } from './floor.ts';

const eventsOfPush = 100;
const event = { service: 'checkout', level: 'warning', message: 'payment took longer than usual', ms: 1_840 };
const body = JSON.stringify({ events: Array(eventsOfPush).fill(event) });
/** How many queues and events the growth is measured with. */
const sizes = {
  full: { queues: 1_000, events: 5_000_000 },
  check: { queues: 3, events: 1_000 },
} as const;
/** Rows written by one statement while a table is filled. */
const fillChunk = 100_000;

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

/** Fills the table of events with those of another day's batches. */
const fill = async ({ database }: World, organizationId: string, events: number): Promise<void> => {
  for (let done = 0; done < events; done += fillChunk) {
    await database.query(
      `insert into queue_ingest.events (organization_id, environment, batch_id, position, received_at, id, event)
       select $1, 'production', gen_random_uuid(), 0, now(), gen_random_uuid(), $2
       from generate_series(1, $3)`,
      [organizationId, JSON.stringify(event), Math.min(fillChunk, events - done)],
    );
  }
  await database.query('analyze queue_ingest.events');
};

const rowsPerSecond = (measured: Measured[]): number => median(measured.map((it) => it.rate)) * eventsOfPush;

/** Pushes of 100 events beside plain inserts, by clients, and as queues and stored events grow. */
export async function ingestBench(mode: BenchMode = 'full'): Promise<BenchRow[]> {
  const directory = await mkdtemp(join(tmpdir(), 'stanza-bench-'));
  const { queues, events } = sizes[mode];
  const tiers = { enterprise: { active_queues: queues, events_per_day: 1_000_000_000_000 } };
  const stack = await startStack({ directory, port: 0, env: { STANZA_TIERS: JSON.stringify(tiers) } });
  const world = await openWorld(stack.info);
  const floor = new InsertFloor(stack.info.database_url, event);
  try {
    await floor.open();
    const organization = await world.newOrganization({ tier: 'enterprise', connected: false });
    const { key } = await organization.key();
    const paths = await makeQueues(world.api.with(key), queues);
    const headers = { authorization: `Bearer ${key}` };
    const hot: Target = { url: `${stack.info.base_url}${paths[0]}`, headers };
    const spread: Target = { url: stack.info.base_url, headers, paths };
    const what = `push of ${eventsOfPush} events, durable`;

    const floors: number[] = [];
    const hots: Measured[] = [];
    for (let round = 0; round < (mode === 'full' ? 3 : 1); round += 1) {
      floors.push(await floor.measure(mode));
      hots.push(...((await inTurns([hot], body, mode))[0] ?? []));
    }
    const [ours, theirs] = [rowsPerSecond(hots), median(floors)];
    const base: BenchRow = {
      what: `${what}, 64 clients, one queue`,
      peer: 'unnest inserts of 64 rows on 4 connections',
      ours: `${Math.round(ours)} events/s`,
      theirs: `${Math.round(theirs)} rows/s`,
      ratio: ours / theirs,
      budget: '≥ 0.4',
      aim: '≥ 0.8',
      p50: `${median(hots.map((it) => it.p50))} ms`,
      p99: `${median(hots.map((it) => it.p99))} ms`,
    };

    const [one = [], sixteen = [], all = []] = await inTurns(
      [{ ...hot, connections: 1 }, { ...hot, connections: 16 }, hot],
      body,
      mode,
    );
    const clients = [
      rowOf(one, all, { what: `${what}, 1 client`, peer: '64 clients', budget: '–', aim: '–' }),
      rowOf(sixteen, all, { what: `${what}, 16 clients`, peer: '64 clients', budget: '–', aim: '–' }),
    ];

    const [many = [], single = []] = await inTurns([spread, hot], body, mode);
    const growing = { what: `${what}, ${queues} queues`, peer: 'one queue', budget: '–', aim: '–' };
    const growth = rowOf(many, single, growing);
    await fill(world, organization.id, events);
    const [full = []] = await inTurns([hot], body, mode);
    const filled = {
      what: `${what}, ${events.toLocaleString('en')} events stored`,
      peer: 'an empty table',
      budget: '–',
      aim: '–',
    };
    return [base, ...clients, growth, rowOf(full, single, filled)];
  } finally {
    await floor.close();
    await world.close();
    await stack.stop();
    await rm(directory, { recursive: true, force: true });
  }
}
