import type { BatchStatus, Environment } from '@stanza/contracts';
import { type Queryable, statement, type Tenant, type Transaction } from '@stanza/runtime';
import type { OpenBatch } from '../domain/batching.ts';
import { eventIdAt } from '../domain/packed-events.ts';
import {
  type KnownEvent,
  keyOf,
  type LockedQueue,
  type Push,
  type Pushed,
  withdrawn,
} from '../domain/push.ts';
import type { Policy } from '../domain/tables.ts';

interface QueueFacts extends Policy {
  environment: Environment;
  id: string;
  is_active: boolean;
}

/**
 * A push locks its queues until it commits, in the order of their ids, so that two groups over the same queues never
 * deadlock.
 */
const lockQueueRows = statement<QueueFacts>(
  'push-lock-queues',
  `select environment, id, is_active, name, mode, window_seconds, max_window_seconds, threshold, max_wait_seconds,
     template_id, channel_id, recipient_email, recipient_chat_id, destination_id, on_unknown, live,
     live_interval_seconds
   from queues
   where organization_id = $1 and environment = any ($2) and id = any ($3) and deleted_at is null
   order by id
   for no key update`,
);

interface OpenFacts extends OpenBatch {
  queue_id: string;
}

/** The closing job holds rows of batches only while it waits for no other lock. */
const lockOpenBatches = statement<OpenFacts>(
  'push-lock-batches',
  `select queue_id, id, policy, event_count, byte_count, opened_at, window_end, latest_end
   from batches
   where organization_id = $1 and environment = any ($2) and queue_id = any ($3) and status = 'collecting'
   order by id
   for update`,
);

/** Reads the queues of a group of pushes with their open batches, and locks both. */
export const lockQueues = async (
  tx: Transaction,
  organizationId: string,
  pushes: readonly Push[],
): Promise<Map<string, LockedQueue>> => {
  const environments = [...new Set(pushes.map((it) => it.environment))];
  const ids = [...new Set(pushes.map((it) => it.queueId))];
  const queues = await tx.query(lockQueueRows, [organizationId, environments, ids]);
  const open = await tx.query(lockOpenBatches, [organizationId, environments, queues.map((it) => it.id)]);
  const openByQueue = new Map(open.map(({ queue_id, ...batch }) => [queue_id, batch]));
  return new Map(
    queues.map(({ environment, id, is_active, ...policy }) => [
      id,
      { environment, id, is_active, policy, open: openByQueue.get(id) },
    ]),
  );
};

interface AnswerFacts extends Omit<Pushed, 'batch_status'> {
  operation_id: string;
  /** This many ids derive from the only one in `event_ids`; null where all are there. */
  derived_ids: number | null;
  batch_status: BatchStatus | typeof withdrawn;
}

const idsIn = ({ event_ids, derived_ids }: AnswerFacts): string[] => {
  const [first] = event_ids;
  if (derived_ids === null || first === undefined) return event_ids;
  return Array.from({ length: derived_ids }, (_, at) => eventIdAt(first, at));
};

const answerIn = (facts: AnswerFacts): Pushed | typeof withdrawn => {
  const { batch_status, operation_id: _, derived_ids: __, ...rest } = facts;
  return batch_status === withdrawn ? withdrawn : { ...rest, batch_status, event_ids: idsIn(facts) };
};

const selectAnswers = statement<AnswerFacts>(
  'push-answers',
  `select operation_id, batch_id, event_ids, derived_ids, batch_status, window_end, event_count
   from pushes
   where organization_id = $1 and environment = any ($2) and operation_id = any ($3)`,
);

/** The answers of earlier operations. */
export const findAnswers = async (
  tx: Transaction,
  organizationId: string,
  pushes: readonly Push[],
): Promise<Map<string, Pushed | typeof withdrawn>> => {
  const rows = await tx.query(selectAnswers, [
    organizationId,
    [...new Set(pushes.map((it) => it.environment))],
    pushes.map((it) => it.operationId),
  ]);
  return new Map(rows.map((row) => [row.operation_id, answerIn(row)]));
};

/** Waits for a push of the operation that is about to commit. */
const withdraw = statement<Record<string, never>>(
  'push-withdraw',
  `insert into pushes (organization_id, environment, operation_id, queue_id, batch_id, event_ids, batch_status,
     window_end, event_count, pushed_at)
   select $1, $2, $3, nothing, nothing, '{}', '${withdrawn}', at, 0, at
   from clock_timestamp() as at, cast('00000000-0000-0000-0000-000000000000' as uuid) as nothing
   on conflict do nothing`,
);

/** The answer of a push. Where there is none, the push is withdrawn: it cannot happen later. */
export const findAnswerOrWithdraw = async (
  { organizationId, environment }: Tenant,
  db: Queryable,
  operationId: string,
): Promise<Pushed | undefined> => {
  const tenant = [organizationId, environment];
  await db.query(withdraw, [...tenant, operationId]);
  const [row] = await db.query(selectAnswers, [organizationId, [environment], [operationId]]);
  const answer = row && answerIn(row);
  return answer === withdrawn ? undefined : answer;
};

interface KnownFacts {
  queue_id: string;
  event_key: string;
  event_id: string;
  batch_id: string;
  batch_status: BatchStatus;
  window_end: Date;
  event_count: number;
}

/** For how long another event of the same key counts as a duplicate, in SQL. */
export const keyLife = "interval '24 hours'";

const selectKnown = statement<KnownFacts>(
  'push-known-keys',
  `with asked as (
     select *
     from unnest($2::text[], $3::uuid[], $4::text[]) as given (environment, queue_id, event_key)
   )
   select event_keys.queue_id, event_keys.event_key, event_keys.event_id, event_keys.batch_id,
     batches.status as batch_status, batches.window_end, batches.event_count
   from asked
   join event_keys
     on event_keys.organization_id = $1 and event_keys.environment = asked.environment
     and event_keys.queue_id = asked.queue_id and event_keys.event_key = asked.event_key
     and event_keys.received_at > (select clock_timestamp()) - ${keyLife}
   join batches
     on batches.organization_id = $1 and batches.environment = asked.environment
     and batches.id = event_keys.batch_id`,
);

/** Events with the same keys that are remembered, by queue and key. Call with the queues locked. */
export const findKnown = async (
  tx: Transaction,
  organizationId: string,
  pushes: readonly Push[],
): Promise<Map<string, KnownEvent>> => {
  const asked = pushes.flatMap(({ environment, queueId, events }) =>
    events.flatMap(({ key }) => (key === undefined ? [] : [{ environment, queueId, key }])),
  );
  if (asked.length === 0) return new Map();
  const rows = await tx.query(selectKnown, [
    organizationId,
    asked.map((it) => it.environment),
    asked.map((it) => it.queueId),
    asked.map((it) => it.key),
  ]);
  return new Map(
    rows.map(({ queue_id, event_key, event_id, ...batch }) => [
      keyOf(queue_id, event_key),
      { event_id, batch },
    ]),
  );
};

/** The day of an organization, and the moment of its pushes. */
export interface PushDay {
  /** In UTC. */
  day: string;
  /** By the clock of the database, once all locks are held: later changes of the same queue have a later moment. */
  at: Date;
  /** Events pushed on that day so far. */
  events: number;
}

const lockDay = statement<PushDay>(
  'push-lock-day',
  `insert into daily_events (organization_id, day, events)
   values ($1, (clock_timestamp() at time zone 'UTC')::date, 0)
   on conflict (organization_id, day) do update
   set events = daily_events.events
   returning events, to_char(day, 'YYYY-MM-DD') as day, clock_timestamp()::timestamptz(3) as at`,
);

/**
 * Events that the organization has pushed today, locked until the transaction ends. Locked last. Where the day ends during
 * the wait for the lock, the next one is locked too: a push that is refused waits for the end of the day that is full.
 */
export const lockDailyEvents = async (tx: Transaction, organizationId: string): Promise<PushDay> => {
  for (;;) {
    const [row] = await tx.query(lockDay, [organizationId]);
    if (!row) throw new TypeError('the day of an organization was not locked');
    if (row.at.toISOString().startsWith(row.day)) return row;
  }
};
