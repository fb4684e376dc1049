import { jobOperations, jobSubjectOf, metricCatalogue, type ServiceName } from '@stanza/contracts';
import type { Database } from '../database/database.ts';
import { statement } from '../database/statement.ts';
import type { Metrics } from '../observability/metrics.ts';
import { kindsOf } from './runner.ts';

/** Counting stops at this number of rows: the figure is for alerts, and its query must stay cheap. */
const countedRows = 10_000;

interface Measured {
  subject: string;
  /** Whether they are failed jobs of the subject, and not jobs to do. */
  has_failed: boolean;
  jobs: number;
  oldest_seconds: number;
}

const measure = statement<Measured>(
  'outbox-measure',
  `select subject, false as has_failed, (count(*) filter (where due_at <= now()))::int as jobs,
     greatest(0, coalesce(extract(epoch from now() - min(created_at) filter (where attempt > 0)), 0))::float8
       as oldest_seconds
   from (select subject, due_at, created_at, attempt from outbox order by due_at limit ${countedRows}) as counted
   group by subject
   union all
   select subject, true, count(*)::int, 0
   from (select subject from dead_letters where resolved_at is null limit ${countedRows}) as counted
   group by subject`,
);

/** Makes the measurement of a service's outbox and of its failed jobs. */
export const measureOutbox = (
  service: ServiceName,
  { database, metrics }: { database: Database; metrics: Metrics },
): (() => Promise<void>) => {
  const { jobsDue, jobsOldestSeconds, jobsFailed } = metricCatalogue.database;
  const due = metrics.gauge(jobsDue);
  const oldest = metrics.gauge(jobsOldestSeconds);
  const failed = metrics.gauge(jobsFailed);
  const kinds = kindsOf(service);
  return async () => {
    const rows = await database.query(measure);
    const [failures = [], waiting = []] = [true, false].map((it) =>
      rows.filter((row) => row.has_failed === it),
    );
    for (const { name: job, subject } of kinds) {
      const row = waiting.find((it) => it.subject === subject);
      due.set({ job }, row?.jobs ?? 0);
      oldest.set({ job }, row?.oldest_seconds ?? 0);
    }
    failed.reset();
    failed.set({ job: 'other' }, 0);
    for (const { subject, jobs } of failures) failed.inc({ job: jobOf(subject) }, jobs);
  };
};

/** A failed job of the previous version is a row of its receiver, and its subject may be longer. */
const jobOf = (subject: string): string =>
  jobOperations.find((it) => `${subject}.`.startsWith(`${jobSubjectOf(it)}.`))?.id ?? 'other';
