import { statement } from '../database/statement.ts';

/** A row of the outbox: a call or an event that its transaction made necessary. */
export interface OutboxMessage {
  /** uuid v7: sorted by it, the oldest comes first. The operation id of its call. */
  id: string;
  kind: 'event' | 'work';
  subject: string;
  /** The input of the call, or the payload of the event. */
  input: unknown;
  traceparent: string | null;
}

/** A row that a process has claimed; `attempt` is its fence. */
export interface ClaimedRow extends OutboxMessage {
  attempt: number;
  organization: string;
}

/** The job that looks for due rows of the outbox. */
export const outboxJob = 'outbox';

/** Milliseconds after which a row that was run from memory is due again. */
const dueAgainMs = 5_000;
/** The longest time between two attempts, milliseconds: work is done within a minute after an outage. */
const longestMs = 30_000;
/** Milliseconds for which rows beyond the share of their organization make way for others. */
const makeWayMs = 1_000;
/** Rows that a claim scans, as a multiple of its room. */
const scanFactor = 8;

const spread = '(0.8 + 0.4 * random())';

/** SQL of the `due_at` of a row that is run from memory after the commit. */
export const outboxDueAt = `clock_timestamp() + ${dueAgainMs} * ${spread} * interval '1 millisecond'`;

/** Inserts a row: run from memory, as attempt 1, or due after a delay. */
export const insertRow = statement<object>(
  'outbox-insert',
  `insert into outbox (id, kind, subject, payload, traceparent, due_at, attempt)
   values ($1, $2, $3, $4, $5, case when $7 then ${outboxDueAt} else now() + $6::float8 * interval '1 millisecond' end,
     case when $7 then 1 else 0 end)`,
);

// Organizations take turns, and none exceeds its share of the places. Where the oldest due rows are all beyond it, they
// make way. The lease is the time until the next attempt, by the clock of the database. A select of its own reads that
// clock once: otherwise it limits no scan of the index, and each claim reads what is due later, too.
export const claimRows = statement<ClaimedRow & { is_mine: boolean }>(
  'outbox-claim',
  `with seen as (
     select id, coalesce(payload ->> 'organization_id', '') as organization, due_at
     from outbox
     where subject = $1 and due_at <= (select clock_timestamp())
     order by due_at
     limit $2 * ${scanFactor}
     for update skip locked
   ), turns as (
     select seen.id, seen.organization, seen.due_at,
       coalesce(busy.places, 0) + row_number() over (partition by seen.organization order by seen.due_at) as turn
     from seen
     left join unnest($3::text[], $4::integer[]) as busy (organization, places)
       on busy.organization = seen.organization
   ), chosen as (
     select id, organization, turn <= $5 as is_mine, row_number() over (order by turn, due_at) as place
     from turns
   )
   update outbox
   set attempt = attempt + is_mine::integer,
     due_at = clock_timestamp() + interval '1 millisecond' * case
       when is_mine then greatest($6::float8, ${spread} * least(${longestMs}, ${dueAgainMs} * 2 ^ least(attempt, 20)))
       else ${spread} * ${makeWayMs}
     end
   from chosen
   where outbox.id = chosen.id
     and case when is_mine then place <= $2 else not exists (select from chosen where is_mine) end
   returning outbox.id, kind, subject, payload as input, traceparent, attempt, organization, is_mine`,
);

/**
 * Makes a row due sooner than its lease ends, unless another process has claimed it. Rows that were refused together come
 * back one after the other, and none before the time it was told.
 */
export const rescheduleRow = statement<object>(
  'outbox-reschedule',
  `update outbox
   set due_at = clock_timestamp() + $3 * (1 + 0.4 * random()) * interval '1 millisecond'
   where id = $1 and attempt = $2`,
  { wakes: outboxJob },
);

/** Counts an unexpected error of a row, unless another process has claimed it. */
export const countFailure = statement<{ failures: number }>(
  'outbox-count-failure',
  `update outbox
   set failures = failures + 1
   where id = $1 and attempt = $2
   returning failures`,
);

/** Moves a row to the failed jobs, unless another process has claimed it. */
export const failRow = statement<{ id: string }>(
  'outbox-fail',
  `with failed as (
     delete from outbox
     where id = $1 and attempt = $2
     returning id, subject, payload, attempt
   )
   insert into dead_letters (id, message_id, subject, payload, reason, deliveries)
   select $3, id, subject, payload::text, $4, attempt
   from failed
   returning id`,
);

/**
 * Deletes rows that are done. Without a flush of the log: a row that reappears after a crash of the database is run again,
 * which changes nothing.
 */
export const deleteRows = statement<object>(
  'outbox-delete',
  `delete from outbox
   where id = any ($1) and (select set_config('synchronous_commit', 'off', true)) is not null`,
);

/** Why a row failed, for the operator. */
export const reasonOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : 'a value that is no Error was thrown';
