import type pg from 'pg';

/** A table whose rows are forgotten some days after they have settled. */
interface Forgotten {
  table: string;
  /** The moment from which its days count. */
  since: string;
  /** What makes a row look as if this many days had passed. */
  set: string;
  /** What has settled; all rows unless given. */
  where?: string;
}

/** Longer than anything is kept for unless an operator says otherwise. */
const longAgo = "interval '400 days'";

/** Ids begin with the milliseconds of their making, and some retentions go by them. */
const agedId = (madeAt: string): string =>
  `(lpad(to_hex((extract(epoch from ${madeAt} - ${longAgo}) * 1000)::bigint), 12, '0')
    || substr(replace(id::text, '-', ''), 13))::uuid`;

const outboxes = ['organization', 'delivery', 'queue_ingest', 'template', 'gateway'] as const;

/**
 * What is forgotten in time, and written by the load. Left out are:
 * - the ledger, the audit log and the events of open batches, which are kept for good or by whole days: no half-hour
 *   shows them flat, and their growth is a line of its own;
 * - `delivery.deliveries`, `delivery.events`, `delivery.interactions` with their actions, and
 *   `delivery.scheduled_messages` with their runs: the load has no destination, no click and no schedule, so they are
 *   empty.
 */
const forgotten: readonly Forgotten[] = [
  {
    table: 'delivery.messages',
    since: 'created_at',
    set: `id = ${agedId('created_at')}, created_at = created_at - ${longAgo}`,
    where: "status in ('sent', 'failed')",
  },
  {
    table: 'delivery.message_contents',
    since: 'updated_at',
    set: `updated_at = updated_at - ${longAgo}`,
  },
  {
    table: 'delivery.withdrawn_operations',
    since: 'withdrawn_at',
    set: `withdrawn_at = withdrawn_at - ${longAgo}`,
  },
  {
    table: 'delivery.channel_slots',
    since: 'next_free_at',
    set: `next_free_at = next_free_at - ${longAgo}`,
  },
  {
    table: 'delivery.deferred_sends',
    since: 'ended_at',
    set: `ended_at = ended_at - ${longAgo}`,
    where: "status = 'ended'",
  },
  {
    table: 'gateway.idempotency_records',
    since: 'completed_at',
    set: `completed_at = completed_at - ${longAgo}, expires_at = expires_at - ${longAgo}`,
    where: 'completed_at is not null',
  },
  {
    table: 'queue_ingest.batches',
    since: 'ended_at',
    set: `ended_at = ended_at - ${longAgo}`,
    where: "status = 'delivered'",
  },
  {
    table: 'organization.reservations',
    since: 'closed_at',
    set: `id = ${agedId('created_at')}, closed_at = closed_at - ${longAgo}`,
    where: 'closed_at is not null',
  },
  { table: 'queue_ingest.pushes', since: 'pushed_at', set: `pushed_at = pushed_at - ${longAgo}` },
  { table: 'queue_ingest.event_keys', since: 'received_at', set: `received_at = received_at - ${longAgo}` },
];

/**
 * Tables that hold what is forgotten; the state of a message goes with it, the outcomes of a reservation as well, and
 * rows of an outbox once they are done.
 */
export const forgottenTables: readonly string[] = [
  ...forgotten.map((it) => it.table),
  'delivery.message_states',
  'organization.settlements',
  'organization.provisional_charges',
  ...outboxes.map((schema) => `${schema}.outbox`),
];

/**
 * Lets more days pass for what has settled than it is kept for, so that the jobs of the services forget within minutes
 * what they would forget in months. What is younger than two minutes may still be on its way, and stays.
 */
export const letDaysPass = async (database: pg.Pool): Promise<void> => {
  for (const { table, since, set, where = 'true' } of forgotten) {
    await database.query(
      `update ${table}
       set ${set}
       where ${where}
         and ${since} < clock_timestamp() - interval '2 minutes'
         and ${since} > clock_timestamp() - interval '1 day'`,
    );
  }
};
