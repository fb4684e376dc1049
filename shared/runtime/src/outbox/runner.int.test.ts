import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { jobSubjectOf, settleReservation } from '@stanza/contracts';
import type { Database } from '../database/database.ts';
import { newId } from '../id.ts';
import { dueNow } from '../testing/due-now.ts';
import { emptyTables, failedJobsOf, rowsOf, someWork } from '../testing/jobs.ts';
import { connectTo, provisionSchema, startTestPostgres, type TestPostgres } from '../testing/postgres.ts';
import { claimRows, failRow, rescheduleRow } from './rows.ts';

const subject = jobSubjectOf(settleReservation);

let postgres: TestPostgres;
let database: Database;

beforeAll(async () => {
  postgres = await startTestPostgres();
  database = await connectTo(await provisionSchema(postgres.url, 'delivery'), 'delivery');
});
afterAll(async () => {
  await database.close();
  await postgres.close();
});
beforeEach(() => emptyTables(database));

/** Commits due rows of an organization. */
const due = async (organization: number, count: number): Promise<void> => {
  const { organization_id } = someWork(organization);
  for (let at = 0; at < count; at += 1) {
    await database.orm.query('insert into outbox (id, kind, subject, payload) values ($1, $2, $3, $4)', [
      newId(),
      'work',
      subject,
      JSON.stringify({ ...someWork(at), organization_id }),
    ]);
  }
};

const claim = async (room: number, { busy = {}, share = 24, leaseMs = 6_000 } = {}) => {
  const held = Object.entries<number>(busy);
  const limits = [held.map(([id]) => id), held.map(([, places]) => places), share, leaseMs];
  return (await database.query(claimRows, [subject, room, ...limits])).filter((it) => it.is_mine);
};

const organizationOf = (seed: number) => someWork(seed).organization_id;

describe('a claim of due rows', () => {
  it('reads none that are due later, however many there are', async () => {
    await database.orm.query(
      `insert into outbox (id, kind, subject, payload, due_at)
       select gen_random_uuid(), 'work', $1, '{}', now() + interval '1 hour' from generate_series(1, 5000)`,
      [subject],
    );
    await database.orm.query('analyze outbox');
    const plan: { 'QUERY PLAN': string }[] = await database.orm.query(
      `explain (analyze, timing off) ${claimRows.text}`,
      [subject, 8, [], [], 24, 6_000],
    );
    const text = plan.map((row) => row['QUERY PLAN']).join('\n');
    expect(text).toContain('Index Cond: (due_at <= ');
    expect(text).not.toContain('Rows Removed by Filter: 5000');
  });

  it('lets organizations take turns, however many rows of one are older', async () => {
    await due(1, 40);
    await due(2, 1);
    await due(3, 1);
    const claimed = await claim(8);
    expect(new Set(claimed.map(({ organization }) => organization))).toEqual(
      new Set([1, 2, 3].map(organizationOf)),
    );
    expect(claimed).toHaveLength(8);
  });

  it('a claim leaves an organization with its share alone and moves its rows out of the way of others', async () => {
    await due(1, 20);
    await due(2, 1);
    const busy = { [organizationOf(1)]: 3 };
    expect(await claim(1, { busy, share: 3 })).toEqual([]);
    expect((await claim(1, { busy, share: 3 })).length).toBe(0);
    const [other] = await claim(1, { busy, share: 3 });
    expect(other?.organization).toBe(organizationOf(2));
    expect((await rowsOf(database)).filter(({ attempt }) => attempt > 0)).toHaveLength(1);
  });

  it('gives a row to one of two processes', async () => {
    await due(1, 10);
    const claimed = await Promise.all([claim(10), claim(10)]);
    const ids = claimed.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('leases rows for no less than their call takes, however their next attempts are spread', async () => {
    await due(1, 24);
    const [before] = await database.orm.query<{ at: Date }[]>('select clock_timestamp() as at');
    expect(await claim(24, { leaseMs: 20_000 })).toHaveLength(24);
    const early = await database.orm.query<object[]>(
      "select due_at from outbox where due_at < $1::timestamptz + interval '20 seconds'",
      [before?.at],
    );
    expect(early).toEqual([]);
    expect(await claim(1)).toEqual([]);
  });

  it('Rows that were refused together come back apart, and none before the time that they were told', async () => {
    await due(1, 5);
    for (const { id, attempt } of await claim(5))
      await database.query(rescheduleRow, [id, attempt, 1_000_000]);
    const [seen] = await database.orm.query(
      `select min(due_at) > now() + interval '990 seconds' as is_late,
         max(due_at) - min(due_at) > interval '4 seconds' as is_apart
       from outbox`,
    );
    expect(seen).toEqual({ is_late: true, is_apart: true });
  });

  it('takes no row of another kind', async () => {
    await database.orm.query(
      "insert into outbox (id, kind, subject, payload) values ($1, 'work', 'work.organization.newer', '{}')",
      [newId()],
    );
    expect(await claim(1)).toEqual([]);
  });
});

describe('a process whose lease is over', () => {
  it('neither moves nor fails a row that another process has claimed', async () => {
    await due(1, 1);
    const [first] = await claim(1);
    await database.orm.query(`update outbox set due_at = ${dueNow}`);
    const [second] = await claim(1);
    expect([first?.attempt, second?.attempt]).toEqual([1, 2]);
    await database.query(rescheduleRow, [first?.id, first?.attempt, 0]);
    expect(await claim(1)).toEqual([]);
    expect(await database.query(failRow, [first?.id, first?.attempt, newId(), 'late'])).toEqual([]);
    expect(await failedJobsOf(database)).toEqual([]);
    await database.query(failRow, [second?.id, second?.attempt, newId(), 'in time']);
    expect(await failedJobsOf(database)).toMatchObject([{ message_id: second?.id, deliveries: 2 }]);
    expect(await rowsOf(database)).toEqual([]);
  });
});
