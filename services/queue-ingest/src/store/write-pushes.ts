import type { CloseReason } from '@stanza/contracts';
import { statement, type Transaction } from '@stanza/runtime';
import type { ChangedBatch, NewEvent, PushPlan } from '../domain/push.ts';

/** Runs before new batches are written, since a queue has one collecting batch at any moment. */
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
  { wakes: 'close-batches' },
);

/**
 * One round trip, because the daily counter of the organization is locked meanwhile. No event is older than its batch,
 * even where the previous version, or a database clock that was set back, opened the batch later than now.
 */
const writePlan = statement<Record<string, never>>(
  'push-write',
  `with made as (
     insert into batches (organization_id, environment, id, queue_id, status, close_reason, policy, event_count,
       byte_count, opened_at, window_end, latest_end, closed_at, live_at, attempt, operation_id, traceparent)
     select $1, environment, id, queue_id, case when reason is null then 'collecting' else 'ready' end, reason,
       policy, event_count, byte_count, $2::timestamptz, window_end, latest_end,
       case when reason is not null then $2::timestamptz end, case when reason is not null then $2::timestamptz end,
       case when reason is null then 0 else 1 end, operation_id, $34
     from unnest($3::text[], $4::uuid[], $5::uuid[], $6::text[], $7::json[], $8::integer[], $9::integer[],
         $10::timestamptz[], $11::timestamptz[], $12::uuid[])
       as given (environment, id, queue_id, reason, policy, event_count, byte_count, window_end, latest_end,
         operation_id)
   ), written as (
     insert into events (organization_id, environment, batch_id, position, received_at, id, event)
     select $1, ($13::text[])[place], ($14::uuid[])[place], position,
       greatest($2::timestamptz, ($35::timestamptz[])[place]), id, event
     from rows from (
       unnest($15::integer[]), unnest($16::integer[]), unnest($17::uuid[]), json_array_elements($18::json)
     ) as given (place, position, id, event)
   ), keyed as (
     insert into event_keys (organization_id, environment, queue_id, event_key, event_id, batch_id, received_at)
     select $1, environment, queue_id, event_key, event_id, batch_id, $2::timestamptz
     from unnest($19::text[], $20::uuid[], $21::text[], $22::uuid[], $23::uuid[])
       as given (environment, queue_id, event_key, event_id, batch_id)
     on conflict (organization_id, environment, queue_id, event_key) do update
     set event_id = excluded.event_id, batch_id = excluded.batch_id, received_at = excluded.received_at
   ), answered as (
     insert into pushes (organization_id, environment, operation_id, queue_id, batch_id, event_ids, batch_status,
       window_end, event_count, pushed_at)
     select $1, environment, operation_id, queue_id, batch_id,
       event_ids::uuid[], batch_status, window_end, event_count, $2::timestamptz
     from unnest($24::text[], $25::uuid[], $26::uuid[], $27::uuid[], $28::text[], $29::text[],
         $30::timestamptz[], $31::integer[])
       as given (environment, operation_id, queue_id, batch_id, event_ids, batch_status, window_end, event_count)
   )
   update daily_events
   set events = events + $32
   where organization_id = $1 and day = $33::date`,
  { wakes: 'close-batches' },
);

/** The values written besides the plan. */
export interface Writing {
  organizationId: string;
  /** Ids of the first deliveries of the batches that the plan closes, by batch. */
  deliveries: ReadonlyMap<string, string>;
  /** By the clock of the database. */
  at: Date;
  /** In UTC. */
  day: string;
  /** Of the trace that new batches continue. */
  traceparent: string | undefined;
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

/** Ids in the form of a Postgres array. They need no escaping, for which pg would scan each. */
const idsText = (ids: readonly string[]): string => `{${ids.join(',')}}`;

/**
 * Events travel as one text, joined from their own JSON: in an array of texts each would be escaped here and unescaped
 * there. Values shared with their batch are sent once, and events refer to them by position from 1.
 */
const eventColumns = (events: readonly NewEvent[], batches: readonly ChangedBatch[]): unknown[] => {
  const places = new Map(batches.map(({ batch }, at) => [batch.id, at + 1]));
  const keyed = events.flatMap((event) => (event.key === undefined ? [] : [{ ...event, key: event.key }]));
  return [
    batches.map((it) => it.environment),
    batches.map((it) => it.batch.id),
    events.map((it) => places.get(it.batchId)),
    events.map((it) => it.position),
    idsText(events.map((it) => it.id)),
    `[${events.map((it) => it.json).join(',')}]`,
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
  taken.map((it) => idsText(it.pushed.event_ids)),
  taken.map((it) => it.pushed.batch_status),
  taken.map((it) => it.pushed.window_end),
  taken.map((it) => it.pushed.event_count),
];

/** Writes the changes of a group of pushes. */
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
    ...eventColumns(plan.events, plan.batches),
    ...answerColumns(plan.taken),
    plan.events.length,
    writing.day,
    writing.traceparent,
    plan.batches.map((it) => it.batch.opened_at),
  ]);
};
