import type { RateName } from '@stanza/contracts';
import { deletedAtOnce, inBatches, type Queryable, statement } from '@stanza/runtime';
import type { RateCounterRow } from './tables.ts';

/** Requests to be counted. */
export interface WantedRequests {
  rate: RateName;
  /** Their number; granted as far as the limit allows. */
  wanted: number;
  requests: number;
  seconds: number;
}

/** The granted number, and the current window. */
export type Counted = Pick<RateCounterRow, 'counts' | 'granted'> & {
  newest: number;
  /** Seconds since 1970 on the clock of the database. */
  now: number;
};

// The clock is the database's, since gateways' clocks differ; one that stands still or goes back leaves the newest
// second unchanged. The row is locked before its counts are read, so concurrent gateways count in turn.
const count = statement<Counted>(
  'rate-count',
  `insert into rate_counters as counter (organization_id, rate, newest, counts, granted)
   values (
     $1,
     $2,
     floor(extract(epoch from coalesce($6::timestamptz, clock_timestamp()))),
     array_prepend(least($3::int, $4::int), array_fill(0, array[$5::int - 1])),
     least($3::int, $4::int)
   )
   on conflict on constraint rate_counters_pk do update
   set (newest, counts, granted) = (
     select moved.newest,
            array_prepend(moved.counts[1] + fitting.granted, moved.counts[2:]),
            fitting.granted
     from (
       select greatest(counter.newest, excluded.newest) as newest,
              (array_fill(0, array[least(greatest(excluded.newest - counter.newest, 0), $5::int)::int])
                || counter.counts)[1:$5::int] as counts
     ) as moved,
     lateral (
       select greatest(0, least($3::int, $4::int - sum(one)))::int as granted
       from unnest(moved.counts) as one
     ) as fitting
   )
   returning newest,
             counts,
             granted,
             extract(epoch from coalesce($6::timestamptz, clock_timestamp()))::float8 as now`,
);

/**
 * Counts requests of an organization against a rate, as far as it allows, in one statement for concurrent ones.
 * @param at the moment in place of the database's clock, for tests with a fixed time
 */
export const countRequests = async (
  organizationId: string,
  db: Queryable,
  { rate, wanted, requests, seconds }: WantedRequests,
  at?: Date,
): Promise<Counted> => {
  const values = [organizationId, rate, wanted, requests, secondsKept(seconds), at];
  const [counted] = await db.query(count, values);
  if (!counted) throw new Error('the rate counter returned no row');
  return counted;
};

const sweep = statement<Pick<RateCounterRow, 'organization_id'>>(
  'rate-sweep',
  `delete from rate_counters
   where ctid = any (array(
     select ctid
     from rate_counters
     where newest < floor(extract(epoch from coalesce($2::timestamptz, clock_timestamp()))) - $1
     limit ${deletedAtOnce}
     for update skip locked
   ))
   returning organization_id`,
);

/** Deletes the counters unused for the given seconds; returns their number. */
export const sweepRateCounters = (db: Queryable, seconds: number, at?: Date): Promise<number> =>
  inBatches(() => db.query(sweep, [seconds, at]));

/**
 * Requests counted by the second of their arrival: `counts[0]` in the second `newest` (since 1970), the others in the
 * seconds before it. A request counts until the window has passed since the end of its second, so that no interval of
 * that length ever contains more than the limit.
 */
export interface RateWindow {
  newest: number;
  counts: readonly number[];
}

/** The number of counted seconds for a window: its length, and the current second. */
export const secondsKept = (seconds: number): number => seconds + 1;

/** The number of requests in a window. */
export const usedOf = ({ counts }: RateWindow): number => counts.reduce((sum, count) => sum + count, 0);

/**
 * The seconds until the oldest request of a window no longer counts, at least one, for the headers.
 * @param now seconds since 1970, with fraction
 */
export const secondsToMore = ({ newest, counts }: RateWindow, now: number): number => {
  const oldest = counts.findLastIndex((count) => count > 0);
  if (oldest === -1) return 1;
  return Math.max(1, Math.ceil(newest - oldest + counts.length - now));
};
