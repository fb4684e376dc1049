import { metricCatalogue } from '@stanza/contracts';
import type { Database } from '../database/database.ts';
import { deletion } from '../database/in-batches.ts';
import { statement } from '../database/statement.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { BackgroundJobs } from '../process/background.ts';
import type { Relay } from './relay.ts';

/** The job that looks for due rows which no commit of this process announces: rows of other processes, or due later. */
export const outboxPoll = 'outbox-poll';
const measureMs = 15_000;
const sweepMs = 60_000;
/** Counting stops at this number of rows: the figure is for alerts, and its query must stay cheap. */
const countedRows = 10_000;
/** Outstanding work is republished every half minute, so two weeks outlast any outage of its producer. */
const inboxKept = '14 days';

interface Measured {
  rows: number;
  oldest_seconds: number;
  lag_seconds: number;
  dead_letters: number;
}

const measure = statement<Measured>(
  'outbox-measure',
  `select
     (select count(*)::int from (select 1 from outbox limit ${countedRows}) as counted) as rows,
     coalesce((select extract(epoch from now() - created_at)::float8 from outbox order by id limit 1), 0) as oldest_seconds,
     coalesce((select extract(epoch from now() - min(due_at))::float8 from outbox), 0) as lag_seconds,
     (select count(*)::int
      from (select 1 from dead_letters where resolved_at is null limit ${countedRows}) as counted) as dead_letters`,
);

const sweepInbox = deletion('inbox-sweep', {
  from: 'inbox',
  where: `consumed_at < now() - interval '${inboxKept}'`,
  orderBy: 'consumed_at',
});

/** Deletes the rows of the inbox whose work cannot come again, however many; returns their number. */
export const forgetConsumed = (database: Database): Promise<number> => sweepInbox(database);

/** Publishes due rows of the outbox, deletes old rows of the inbox, and measures both. */
export const keepHouse = (jobs: BackgroundJobs, database: Database, relay: Relay, metrics: Metrics): void => {
  const declared = metricCatalogue.database;
  const rows = metrics.gauge(declared.outboxRows);
  const oldest = metrics.gauge(declared.outboxOldestSeconds);
  const lag = metrics.gauge(declared.outboxLagSeconds);
  const dead = metrics.gauge(declared.deadLetters);
  jobs.whenDue(outboxPoll, { next: () => relay.nextDue(), run: () => relay.publishDue() });
  jobs.every('outbox-measure', measureMs, async () => {
    const [measured] = await database.query(measure);
    rows.set(measured?.rows ?? 0);
    oldest.set(Math.max(0, measured?.oldest_seconds ?? 0));
    lag.set(Math.max(0, measured?.lag_seconds ?? 0));
    dead.set(measured?.dead_letters ?? 0);
  });
  jobs.every('inbox-sweep', sweepMs, async () => {
    await forgetConsumed(database);
  });
};
