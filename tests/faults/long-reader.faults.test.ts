import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createQueue, flushQueue } from '@stanza/contracts';
import pg from 'pg';
import type { Api } from '../kit/api.ts';
import { type OwnStack, startOwnStack } from '../kit/own-stack.ts';
import { isAnswered, KeptConnection, SteadyLoad } from '../kit/steady-load.ts';
import { liveTemplate } from '../kit/templates.ts';
import { waitFor } from '../kit/wait.ts';

/** Clients that push all the time, and events of each push. */
const clients = 4;
const eventsOfPush = 2;
/** Events of a batch. */
const threshold = 50;
/** Days from today on that the service makes partitions for. */
const daysAhead = 7;
/** Days before today of a partition that is to be dropped: twice as many as events are kept. */
const pastDays = 60;

describe('a transaction that reads events beyond midnight', () => {
  let own: OwnStack;
  let reader: pg.Client;
  let organizationId: string;
  let key: string;
  let api: Api;
  let queueId: string;

  beforeAll(async () => {
    own = await startOwnStack('long-reader', { seed: false });
    const organization = await own.world.newOrganization({ tier: 'enterprise', credits: 1_000 });
    organizationId = organization.id;
    key = (await organization.key()).key;
    api = own.world.api.with(key);
    const { id: template_id } = await liveTemplate(api);
    const policy = { mode: 'fixed_volume', threshold, template_id, channel_id: 'C1000' };
    queueId = (await api.ok(createQueue, { body: { name: 'Digest', ...policy } })).id;
    reader = new pg.Client({ connectionString: own.stack.info.database_url });
    await reader.connect();
  });
  afterAll(async () => {
    await reader?.end();
    await own?.close();
  });

  /** The day this many days from today, in UTC, as the name of its partition has it. */
  const dayFromToday = async (days: number): Promise<string> => {
    const { rows } = await own.world.database.query<{ day: string }>(
      `select to_char((clock_timestamp() at time zone 'UTC')::date + $1::integer, 'YYYYMMDD') as day`,
      [days],
    );
    return rows[0]?.day ?? '';
  };
  const hasPartition = async (day: string): Promise<boolean> => {
    const { rowCount } = await own.world.database.query(
      `select from pg_class where oid = to_regclass('queue_ingest.event_pushes_' || $1) and relispartition`,
      [day],
    );
    return rowCount === 1;
  };
  /**
   * As it is after midnight, only with more to do: coming days lack their partitions, and one has outlived its time.
   */
  const passMidnight = async (past: string): Promise<void> => {
    const { database } = own.world;
    const coming = await Promise.all(Array.from({ length: daysAhead }, (_, at) => dayFromToday(at + 1)));
    for (const day of coming)
      await database.query(
        `select queue_ingest.drop_day_partition('event_pushes', to_date($1, 'YYYYMMDD'))`,
        [day],
      );
    await database.query(`select queue_ingest.make_day_partition('event_pushes', to_date($1, 'YYYYMMDD'))`, [
      past,
    ]);
  };
  /** Runs of the job that makes and drops partitions. */
  const runs = async (outcome: 'ok' | 'failed'): Promise<number> => {
    const page = await (await fetch(own.stack.info.metrics['queue-ingest'] ?? '')).text();
    const series = `^stanza_background_runs_total\\{task="keep-house",outcome="${outcome}".*\\} (\\d+)$`;
    return Number(new RegExp(series, 'm').exec(page)?.[1] ?? 0);
  };
  const anotherRun = async (): Promise<void> => {
    const before = (await runs('ok')) + (await runs('failed'));
    await waitFor('a run of the job', async () => (await runs('ok')) + (await runs('failed')) > before);
  };
  const pushes = () => {
    const body = { events: Array.from({ length: eventsOfPush }, () => ({ service: 'api' })) };
    const make = () => ({ method: 'POST', path: `/v1/queues/${queueId}/events`, body });
    const kinds = Array.from({ length: clients }, (_, at) => ({ name: `push ${at}`, everyMs: 100, make }));
    return new SteadyLoad(kinds, () => new KeptConnection(own.world.api.base, key));
  };
  /** Events in batches, once all of these are delivered. */
  const deliveredEvents = () =>
    waitFor('every batch to be delivered', async () => {
      const { rows } = await own.world.database.query<{ open: string; events: string }>(
        `select count(*) filter (where status <> 'delivered') as open, coalesce(sum(event_count), 0) as events
         from queue_ingest.batches where organization_id = $1`,
        [organizationId],
      );
      return rows[0]?.open === '0' && Number(rows[0].events);
    });

  it('delays the partitions alone: events are accepted and delivered meanwhile', async () => {
    const [coming, past] = [await dayFromToday(1), await dayFromToday(-pastDays)];
    await passMidnight(past);
    await reader.query('begin isolation level repeatable read read only');
    await reader.query('select count(*) from queue_ingest.event_pushes');
    const partitions = async () => ({ coming: await hasPartition(coming), past: await hasPartition(past) });
    expect(await partitions()).toEqual({ coming: false, past: true });

    const load = pushes();
    await anotherRun();
    await load.stop();
    expect(load.failures()).toEqual([]);
    await api.ok(flushQueue, { params: { id: queueId } });
    const accepted = [...load.met.values()].flat().filter(isAnswered).length;
    expect(await deliveredEvents()).toBe(accepted * eventsOfPush);
    expect(await runs('failed')).toBe(0);
    expect(await partitions()).toEqual({ coming: false, past: true });

    await reader.query('rollback');
    await anotherRun();
    expect(await partitions()).toEqual({ coming: true, past: false });
  });
});
