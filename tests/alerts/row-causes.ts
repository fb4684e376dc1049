import { createQueue, pushEvents } from '@stanza/contracts';
import { v7 } from 'uuid';
import { waitFor } from '../kit/wait.ts';
import type { Around } from './around.ts';
import { type Cause, copyRow, type Mend } from './cause.ts';

/** The moment this many minutes before now; after it, below zero. */
const ago = (minutes: number): string => new Date(Date.now() - 60_000 * minutes).toISOString();

/** A queue with one event whose batch closes as the policy says. */
const queueWith = async ({ api, templateId }: Around, channel_id: string, policy: object) => {
  const body = { name: `Queue ${v7()}`, template_id: templateId, channel_id, ...policy };
  const queue = await api.ok(createQueue, { body: Object(body) });
  await api.ok(pushEvents, { params: { id: queue.id }, body: { events: [{ number: 1 }] } });
  return queue.id;
};

const atOnce = { mode: 'fixed_volume', threshold: 1 };

/** A digest whose post meets this, and which an operator writes off afterwards. */
const digestThatMeets = async (around: Around, channel: string, fault: object): Promise<Mend> => {
  const { sandbox } = around.cluster.world;
  await sandbox.setFault({ method: 'chat.postMessage', channel, mode: '', times: 1, ...fault });
  const queue = await queueWith(around, channel, atOnce);
  return () =>
    around.sql("update queue_ingest.batches set status = 'delivered', ended_at = now() where queue_id = $1", [
      queue,
    ]);
};

/** Keeps a batch from closing that was due this many minutes ago. */
export const overdueBatch = async (around: Around, minutes: number): Promise<() => Promise<void>> => {
  const queue = await queueWith(around, 'C1803', { mode: 'rolling_window', window_seconds: 3_600 });
  const [batch] = await waitFor('the batch', async () => {
    const rows = await around.sql('select id from queue_ingest.batches where queue_id = $1', [queue]);
    return rows.length > 0 && rows;
  });
  const letGo = await around.hold('select from queue_ingest.batches where id = $1 for key share', [
    batch?.id,
  ]);
  await around.sql('update queue_ingest.batches set window_end = $2 where id = $1', [
    batch?.id,
    ago(minutes),
  ]);
  return letGo;
};

/** A keyed request without an answer, claimed two minutes ago. */
const unanswered = (around: Around, operation: string) =>
  copyRow(around, 'gateway.idempotency_records', "operation = 'compile-template'", {
    operation,
    key: v7(),
    operation_id: v7(),
    claimed_at: ago(2),
    released_at: null,
    completed_at: null,
    status: null,
    content_type: null,
    body: null,
    expires_at: null,
  });

/** A row of delivery's outbox for the credits of a message that was never reserved: organization refuses it. */
const outboxRow = (
  { sql, organizationId }: Around,
  id: string,
  more: { attempt: number; created_at: string; due_at: string },
) => {
  const item = { item: 0, charged: false, credit_log_id: v7(), message_id: v7() };
  const settled = { environment: 'production', operation_id: v7(), items: [item] };
  const payload = { organization_id: organizationId, ...settled };
  return sql(
    `insert into delivery.outbox (id, kind, subject, payload, attempt, created_at, due_at)
     values ($1, 'work', 'work.organization.settle-reservation', $2, $3, $4, $5)`,
    [id, JSON.stringify(payload), more.attempt, more.created_at, more.due_at],
  );
};

/** Days from now of the day whose partition cannot be made. */
const daysFromNow = 3;

/** What rows of the database show. */
export const rowCauses: readonly Cause[] = [
  {
    alerts: ['UnknownBatches', 'UnknownOutcomes'],
    begin: (around) => digestThatMeets(around, 'C1801', { mode: 'reset_before' }),
  },
  {
    alerts: ['FailedBatches'],
    begin: (around) => digestThatMeets(around, 'C1802', { mode: 'error', value: 'channel_not_found' }),
  },
  {
    alerts: ['QueueClosingStalled'],
    // Once it is closed it is late.
    consequences: ['QueueClosing'],
    begin: (around) => overdueBatch(around, 5),
  },
  {
    // Of a version that was rolled back since: no service can tell what became of it.
    alerts: ['BlockedIdempotencyKeys'],
    begin: async (around) => {
      await unanswered(around, 'send-elsewhere');
      return () => around.sql("delete from gateway.idempotency_records where operation = 'send-elsewhere'");
    },
  },
  {
    alerts: ['KeyedAnswersLost'],
    begin: async (around) => {
      for (let count = 0; count < 20; count += 1) await unanswered(around, 'compile-template');
      return () => undefined;
    },
  },
  {
    alerts: ['OutboxOldestRow'],
    begin: async (around) => {
      const id = v7();
      await outboxRow(around, id, { attempt: 4, created_at: ago(10), due_at: ago(-60) });
      return () => around.sql('delete from delivery.outbox where id = $1', [id]);
    },
  },
  {
    alerts: ['DeadLetters'],
    begin: async (around) => {
      await outboxRow(around, v7(), { attempt: 0, created_at: ago(0), due_at: ago(0) });
      return () => around.sql('update delivery.dead_letters set resolved_at = now()');
    },
  },
  {
    alerts: ['DeferredMessagesOld'],
    begin: async (around) => {
      const operation_id = v7();
      await copyRow(around, 'delivery.deferred_sends', 'true', {
        operation_id,
        status: 'waiting',
        created_at: ago(20),
        due_at: ago(-60),
        give_up_at: ago(-120),
        ended_at: null,
      });
      return () => around.sql('delete from delivery.deferred_sends where operation_id = $1', [operation_id]);
    },
  },
  {
    alerts: ['ReservationsStuck'],
    begin: async (around) => {
      const id = v7();
      await copyRow(around, 'organization.reservations', 'true', {
        id,
        operation_id: v7(),
        created_at: ago(20),
        report_due_at: ago(-60),
        closed_at: null,
        open_items: 1,
      });
      return () => around.sql('delete from organization.reservations where id = $1', [id]);
    },
  },
  {
    alerts: ['EventPartitionMissing'],
    begin: async ({ sql, organizationId }) => {
      const [day] = await sql<{ name: string }>(
        "select to_char(now() at time zone 'UTC' + $1 * interval '1 day', 'YYYYMMDD') as name",
        [daysFromNow],
      );
      await sql(`drop table queue_ingest.events_${day?.name}`);
      await sql(
        `insert into queue_ingest.events (organization_id, environment, batch_id, position, received_at, id, event)
         values ($1, 'production', $2, 1, now() + $3 * interval '1 day', $2, '{}')`,
        [organizationId, v7(), daysFromNow],
      );
      return () => sql("delete from queue_ingest.events where received_at > now() + interval '1 day'");
    },
  },
  {
    alerts: ['BackgroundJobFailing'],
    begin: async ({ sql }) => {
      await sql('alter table gateway.maintenance rename to maintenance_away');
      return () => sql('alter table gateway.maintenance_away rename to maintenance');
    },
  },
];
