import { type Queryable, statement } from '@stanza/runtime';

/** Waiting rows are counted up to this number, those due first, which keeps the measurement cheap. */
const maxCounted = 10_000;

/** The waiting rows of a table. */
export interface Waiting {
  kind: 'deferred_sends' | 'deliveries';
  waiting: number;
  /** Seconds since the oldest of them was made. */
  age: number;
}

const waitingIn = (table: Waiting['kind']): string => `
   select '${table}' as kind, count(*) as waiting,
     coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::float8 as age
   from (
     select created_at
     from ${table}
     where status = 'waiting'
     order by due_at
     limit ${maxCounted}) as counted`;

const count = statement<Waiting>(
  'waiting-gauges',
  `${waitingIn('deferred_sends')}
   union all
   ${waitingIn('deliveries')}`,
);

/** Counts waiting messages and deliveries, up to the limit. */
export const countWaiting = (db: Queryable): Promise<Waiting[]> => db.query(count);
