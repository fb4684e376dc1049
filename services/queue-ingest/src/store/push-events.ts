import type { BatchStatus, CloseReason, Environment } from '@stanza/contracts';
import { statement, type Transaction } from '@stanza/runtime';
import type { OpenBatch } from '../domain/batching.ts';
import {
  type ChangedBatch,
  type KnownEvent,
  keyOf,
  type LockedQueue,
  type NewEvent,
  type Push,
  type Pushed,
  type PushPlan,
} from '../domain/push.ts';
import type { Policy } from '../domain/rows.ts';

interface QueueFacts extends Policy {
  environment: Environment;
  id: string;
  is_active: boolean;
}

/**
 * A push keeps its queues from everybody else until it commits: in the order of their ids, so that two groups over the
 * same queues never wait for each other in a circle.
 */
const lockQueueRows = statement<QueueFacts>(
  'push-lock-queues',
  `select environment, id, is_active, name, mode, window_seconds, max_window_seconds, threshold, max_wait_seconds,
     template_id, channel_id, recipient_email, recipient_chat_id, destination_id
   from queues
   where organization_id = $1 and environment = any ($2) and id = any ($3) and deleted_at is null
   order by id
   for no key update`,
);

interface OpenFacts extends OpenBatch {
  queue_id: string;
}

/** The closing job holds rows of batches only while it waits for nothing. */
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

interface AnswerFacts extends Pushed {
  operation_id: string;
}

const selectAnswers = statement<AnswerFacts>(
  'push-answers',
  `select operation_id, batch_id, event_ids, batch_status, window_end, event_count
   from pushes
   where organization_id = $1 and environment = any ($2) and operation_id = any ($3)`,
);

/** What operations were answered that have pushed before. */
export const findAnswers = async (
  tx: Transaction,
  organizationId: string,
  pushes: readonly Push[],
): Promise<Map<string, Pushed>> => {
  const rows = await tx.query(selectAnswers, [
    organizationId,
    [...new Set(pushes.map((it) => it.environment))],
    pushes.map((it) => it.operationId),
  ]);
  return new Map(rows.map(({ operation_id, ...pushed }) => [operation_id, pushed]));
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
     and event_keys.received_at > $5
   join batches
     on batches.organization_id = $1 and batches.environment = asked.environment
     and batches.id = event_keys.batch_id`,
);

/** Events that came after a moment with the same keys, by queue and key. Call with the queues locked. */
export const findKnown = async (
  tx: Transaction,
  organizationId: string,
  pushes: readonly Push[],
  since: Date,
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
    since,
  ]);
  return new Map(
    rows.map(({ queue_id, event_key, event_id, ...batch }) => [
      keyOf(queue_id, event_key),
      { event_id, batch },
    ]),
  );
};

const lockDay = statement<{ events: number }>(
  'push-lock-day',
  `insert into daily_events (organization_id, day, events)
   values ($1, $2, 0)
   on conflict (organization_id, day) do update
   set events = daily_events.events
   returning events`,
);

/** Events that the organization has pushed on a day; nobody else counts until the transaction ends. Locked last. */
export const lockDailyEvents = async (
  tx: Transaction,
  organizationId: string,
  day: string,
): Promise<number> => {
  const [row] = await tx.query(lockDay, [organizationId, day]);
  return row?.events ?? 0;
};

/** Comes before new batches are written, since a queue has one collecting batch at any moment. */
const growBatches = statement<Record<string, never>>(
  'push-grow-batches',
  `update batches
   set status = case when reason is null then 'collecting' else 'ready' end, close_reason = reason,
     event_count = given.event_count, byte_count = given.byte_count, window_end = given.window_end,
     closed_at = case when reason is not null then $2::timestamptz end, live_at = case when reason is not null then $2::timestamptz end,
     attempt = case when reason is null then 0 else 1 end, operation_id = given.operation_id
   from unnest($3::text[], $4::uuid[], $5::text[], $6::integer[], $7::integer[], $8::timestamptz[], $9::uuid[])
     as given (environment, id, reason, event_count, byte_count, window_end, operation_id)
   where batches.organization_id = $1 and batches.environment = given.environment and batches.id = given.id`,
);

/** One round trip, because the day's counter of the organization is locked meanwhile. */
const writePlan = statement<Record<string, never>>(
  'push-write',
  `with made as (
     insert into batches (organization_id, environment, id, queue_id, status, close_reason, policy, event_count,
       byte_count, opened_at, window_end, latest_end, closed_at, live_at, attempt, operation_id)
     select $1, environment, id, queue_id, case when reason is null then 'collecting' else 'ready' end, reason,
       policy, event_count, byte_count, $2::timestamptz, window_end, latest_end,
       case when reason is not null then $2::timestamptz end, case when reason is not null then $2::timestamptz end,
       case when reason is null then 0 else 1 end, operation_id
     from unnest($3::text[], $4::uuid[], $5::uuid[], $6::text[], $7::json[], $8::integer[], $9::integer[],
         $10::timestamptz[], $11::timestamptz[], $12::uuid[])
       as given (environment, id, queue_id, reason, policy, event_count, byte_count, window_end, latest_end,
         operation_id)
   ), written as (
     insert into events (organization_id, environment, batch_id, position, received_at, id, event)
     select $1, environment, batch_id, position, $2::timestamptz, id, event
     from unnest($13::text[], $14::uuid[], $15::integer[], $16::uuid[], $17::json[])
       as given (environment, batch_id, position, id, event)
   ), keyed as (
     insert into event_keys (organization_id, environment, queue_id, event_key, event_id, batch_id, received_at)
     select $1, environment, queue_id, event_key, event_id, batch_id, $2::timestamptz
     from unnest($18::text[], $19::uuid[], $20::text[], $21::uuid[], $22::uuid[])
       as given (environment, queue_id, event_key, event_id, batch_id)
     on conflict (organization_id, environment, queue_id, event_key) do update
     set event_id = excluded.event_id, batch_id = excluded.batch_id, received_at = excluded.received_at
   ), answered as (
     insert into pushes (organization_id, environment, operation_id, queue_id, batch_id, event_ids, batch_status,
       window_end, event_count, pushed_at)
     select $1, environment, operation_id, queue_id, batch_id,
       array(select json_array_elements_text(event_ids))::uuid[], batch_status, window_end, event_count, $2::timestamptz
     from unnest($23::text[], $24::uuid[], $25::uuid[], $26::uuid[], $27::json[], $28::text[],
         $29::timestamptz[], $30::integer[])
       as given (environment, operation_id, queue_id, batch_id, event_ids, batch_status, window_end, event_count)
   )
   update daily_events
   set events = events + $31
   where organization_id = $1 and day = $32::date`,
);

/** What is written besides the plan. */
export interface Writing {
  organizationId: string;
  /** Names of the first deliveries of the batches that the plan closes, by batch. */
  deliveries: ReadonlyMap<string, string>;
  at: Date;
  /** Of `at`, in UTC. */
  day: string;
}

const grow = (tx: Transaction, batches: readonly ChangedBatch[], writing: Writing): Promise<unknown> =>
  tx.query(growBatches, [
    writing.organizationId,
    writing.at,
    batches.map((it) => it.environment),
    batches.map((it) => it.batch.id),
    batches.map((it): CloseReason | null => it.closes ?? null),
    batches.map((it) => it.batch.event_count),
    batches.map((it) => it.batch.byte_count),
    batches.map((it) => it.batch.window_end),
    batches.map((it) => writing.deliveries.get(it.batch.id) ?? null),
  ]);

const batchColumns = (batches: readonly ChangedBatch[], { deliveries }: Writing): unknown[] => [
  batches.map((it) => it.environment),
  batches.map((it) => it.batch.id),
  batches.map((it) => it.queueId),
  batches.map((it): CloseReason | null => it.closes ?? null),
  batches.map((it) => JSON.stringify(it.batch.policy)),
  batches.map((it) => it.batch.event_count),
  batches.map((it) => it.batch.byte_count),
  batches.map((it) => it.batch.window_end),
  batches.map((it) => it.batch.latest_end),
  batches.map((it) => deliveries.get(it.batch.id) ?? null),
];

const eventColumns = (events: readonly NewEvent[]): unknown[] => {
  const keyed = events.flatMap((event) => (event.key === undefined ? [] : [{ ...event, key: event.key }]));
  return [
    events.map((it) => it.environment),
    events.map((it) => it.batchId),
    events.map((it) => it.position),
    events.map((it) => it.id),
    events.map((it) => it.json),
    keyed.map((it) => it.environment),
    keyed.map((it) => it.queueId),
    keyed.map((it) => it.key),
    keyed.map((it) => it.id),
    keyed.map((it) => it.batchId),
  ];
};

const answerColumns = (taken: PushPlan['taken']): unknown[] => [
  taken.map((it) => it.push.environment),
  taken.map((it) => it.push.operationId),
  taken.map((it) => it.push.queueId),
  taken.map((it) => it.pushed.batch_id),
  taken.map((it) => JSON.stringify(it.pushed.event_ids)),
  taken.map((it) => it.pushed.batch_status),
  taken.map((it) => it.pushed.window_end),
  taken.map((it) => it.pushed.event_count),
];

/** Writes what a group of pushes changes. */
export const writePushes = async (tx: Transaction, plan: PushPlan, writing: Writing): Promise<void> => {
  const grown = plan.batches.filter((it) => !it.isNew);
  if (grown.length > 0) await grow(tx, grown, writing);
  await tx.query(writePlan, [
    writing.organizationId,
    writing.at,
    ...batchColumns(
      plan.batches.filter((it) => it.isNew),
      writing,
    ),
    ...eventColumns(plan.events),
    ...answerColumns(plan.taken),
    plan.events.length,
    writing.day,
  ]);
};
