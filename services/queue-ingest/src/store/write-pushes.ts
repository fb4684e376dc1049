import type { CloseReason } from '@stanza/contracts';
import { statement, type Transaction } from '@stanza/runtime';
import { eventIdAt } from '../domain/packed-events.ts';
import type { ChangedBatch, NewEvents, PushPlan } from '../domain/push.ts';
import { isLive, liveInterval } from './live-due.ts';

/** Runs before new batches are written, since a queue has one collecting batch at any moment. */
const growBatches = statement<Record<string, never>>(
  'push-grow-batches',
  `update batches
   set status = case when reason is null then 'collecting' else 'ready' end, close_reason = reason,
     event_count = given.event_count, byte_count = given.byte_count, window_end = given.window_end,
     closed_at = case when reason is not null then $2::timestamptz end, live_at = case when reason is not null then $2::timestamptz end,
     attempt = case when reason is null then 0 else 1 end, operation_id = given.operation_id,
     live_due_at = case when reason is null and ${isLive} then
       coalesce(live_due_at, greatest($2::timestamptz, live_shown_at + ${liveInterval})) end
   from unnest($3::text[], $4::uuid[], $5::text[], $6::integer[], $7::integer[], $8::timestamptz[], $9::uuid[])
     as given (environment, id, reason, event_count, byte_count, window_end, operation_id)
   where batches.organization_id = $1 and batches.environment = given.environment and batches.id = given.id`,
  { wakes: 'close-batches' },
);

/**
 * One round trip, because the daily counter of the organization is locked in the meantime. No event is older than its
 * batch, even where the previous version, or a database clock that was set back, opened the batch later than now.
 */
const writePlan = statement<Record<string, never>>(
  'push-write',
  `with made as (
     insert into batches (organization_id, environment, id, queue_id, status, close_reason, policy, event_count,
       byte_count, opened_at, window_end, latest_end, closed_at, live_at, attempt, operation_id, traceparent,
       live_due_at)
     select $1, environment, id, queue_id, case when reason is null then 'collecting' else 'ready' end, reason,
       policy, event_count, byte_count, $2::timestamptz, window_end, latest_end,
       case when reason is not null then $2::timestamptz end, case when reason is not null then $2::timestamptz end,
       case when reason is null then 0 else 1 end, operation_id, $30,
       case when reason is null and ${isLive} then $2::timestamptz end
     from unnest($3::text[], $4::uuid[], $5::uuid[], $6::text[], $7::json[], $8::integer[], $9::integer[],
         $10::timestamptz[], $11::timestamptz[], $12::uuid[])
       as given (environment, id, queue_id, reason, policy, event_count, byte_count, window_end, latest_end,
         operation_id)
   ), packed as (
     insert into event_pushes (organization_id, environment, batch_id, position, received_at, event_count, first_id,
       packed)
     select $1, ($13::text[])[place], ($14::uuid[])[place], position,
       greatest($2::timestamptz, ($31::timestamptz[])[place]), event_count, first_id,
       substring($38::bytea from begin for bytes)
     from unnest($32::integer[], $33::integer[], $34::integer[], $35::uuid[], $36::integer[], $37::integer[])
       as given (place, position, event_count, first_id, begin, bytes)
   ), keyed as (
     insert into event_keys (organization_id, environment, queue_id, event_key, event_id, batch_id, received_at)
     select $1, environment, queue_id, event_key, event_id, batch_id, $2::timestamptz
     from unnest($15::text[], $16::uuid[], $17::text[], $18::uuid[], $19::uuid[])
       as given (environment, queue_id, event_key, event_id, batch_id)
     on conflict (organization_id, environment, queue_id, event_key) do update
     set event_id = excluded.event_id, batch_id = excluded.batch_id, received_at = excluded.received_at
   ), answered as (
     insert into pushes (organization_id, environment, operation_id, queue_id, batch_id, event_ids, batch_status,
       window_end, event_count, pushed_at, derived_ids)
     select $1, environment, operation_id, queue_id, batch_id,
       event_ids::uuid[], batch_status, window_end, event_count, $2::timestamptz, derived_ids
     from unnest($20::text[], $21::uuid[], $22::uuid[], $23::uuid[], $24::text[], $25::text[],
         $26::timestamptz[], $27::integer[], $39::integer[])
       as given (environment, operation_id, queue_id, batch_id, event_ids, batch_status, window_end, event_count,
         derived_ids)
   )
   update daily_events
   set events = events + $28
   where organization_id = $1 and day = $29::date`,
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

/** Batches by their place from 1, by which rows of events refer to them, so that what they share is sent once. */
type Places = ReadonlyMap<string, number>;

const placesOf = (batches: readonly ChangedBatch[]): Places =>
  new Map(batches.map(({ batch }, at) => [batch.id, at + 1]));

const keyColumns = (added: readonly NewEvents[]): unknown[] => {
  const keyed = added.flatMap(({ events, firstId, ...push }) =>
    events.flatMap(({ key }, at) =>
      key === undefined ? [] : [{ ...push, key, id: eventIdAt(firstId, at) }],
    ),
  );
  return [
    keyed.map((it) => it.environment),
    keyed.map((it) => it.queueId),
    keyed.map((it) => it.key),
    keyed.map((it) => it.id),
    keyed.map((it) => it.batchId),
  ];
};

/** Events as a row for each push. Their bytes travel as one value: pg writes those of an array as digits. */
const pushColumns = (added: readonly NewEvents[], places: Places): unknown[] => {
  const packed = added.map((it) => it.packed);
  let begin = 1;
  const begins = packed.map(({ length }) => {
    begin += length;
    return begin - length;
  });
  return [
    added.map((it) => places.get(it.batchId)),
    added.map((it) => it.position),
    added.map((it) => it.events.length),
    added.map((it) => it.firstId),
    begins,
    packed.map((it) => it.length),
    Buffer.concat(packed),
  ];
};

type Taken = PushPlan['taken'];

const answerColumns = (taken: Taken): unknown[] => [
  taken.map((it) => it.push.environment),
  taken.map((it) => it.push.operationId),
  taken.map((it) => it.push.queueId),
  taken.map((it) => it.pushed.batch_id),
  taken.map((it) => idsText(it.pushed.event_ids.slice(0, it.derives ? 1 : undefined))),
  taken.map((it) => it.pushed.batch_status),
  taken.map((it) => it.pushed.window_end),
  taken.map((it) => it.pushed.event_count),
];

/** Writes the changes of a group of pushes. */
export const writePushes = async (tx: Transaction, plan: PushPlan, writing: Writing): Promise<void> => {
  const { added, batches, taken } = plan;
  const grown = batches.filter((it) => !it.isNew);
  if (grown.length > 0) await grow(tx, grown, writing);
  const places = placesOf(batches);
  await tx.query(writePlan, [
    writing.organizationId,
    writing.at,
    ...batchColumns(
      batches.filter((it) => it.isNew),
      writing,
    ),
    batches.map((it) => it.environment),
    batches.map((it) => it.batch.id),
    ...keyColumns(added),
    ...answerColumns(taken),
    added.reduce((sum, it) => sum + it.events.length, 0),
    writing.day,
    writing.traceparent,
    batches.map((it) => it.batch.opened_at),
    ...pushColumns(added, places),
    taken.map((it) => (it.derives ? it.pushed.event_ids.length : null)),
  ]);
};
