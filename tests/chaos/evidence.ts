import type pg from 'pg';
import type { Receiver } from '../kit/receiver.ts';
import type { PostedMessage } from '../kit/sandbox.ts';
import { storedEvents } from '../kit/stored-events.ts';
import type { DoneFault } from './inject.ts';
import type { Ledger } from './ledger.ts';

/** A row of `delivery.messages`. */
export interface MessageRow {
  id: string;
  organization_id: string;
  status: string;
  origin: string;
  origin_id: string | null;
  /** Of a change, its message. */
  revises: string | null;
  change: string | null;
  /** What the channel shows; of a change its own number. */
  revision: number;
  charged: boolean | null;
  credit_log_id: string;
  lookups: number;
  posting_at: Date | null;
  /** It has one state next to it, which is its own. */
  has_state: boolean;
}

/** An event with the batch that holds it. */
export interface EventRow {
  marker: string;
  batch_id: string;
  status: string;
  message_id: string | null;
  delivery_id: string | null;
  /** Why the batch has failed. */
  error: string | null;
  /** A message has shown the batch before it closed. */
  is_live: boolean;
  /** That message may be there: the batch is not delivered before a lookup has found it, or the last one has not. */
  awaits_lookup: boolean;
}

/** A row of the credit ledger. */
export interface CreditRow {
  id: string;
  kind: string;
  amount: string;
  operation: string | null;
  operation_id: string;
}

/** An account with what its rows add up to. */
export interface AccountRow {
  organization_id: string;
  balance: string;
  reserved: string;
  ledger: string;
  held: string;
  old: string;
}

/** A run of a scheduled message. */
export interface RunRow {
  scheduled_message_id: string;
  status: string;
}

/** An entry of the audit log. */
export interface AuditedRow {
  id: string;
  organization_id: string;
  /** Its facts, as text. */
  facts: string;
}

/** All that the invariants are checked against, once it is quiet. */
export interface Evidence {
  ledger: Ledger;
  faults: readonly DoneFault[];
  posts: readonly PostedMessage[];
  /** The markers of each post. */
  markersOf: ReadonlyMap<PostedMessage, readonly string[]>;
  receiver: Pick<Receiver, 'received'>;
  messages: readonly MessageRow[];
  /** The changes of messages. */
  changes: readonly MessageRow[];
  events: readonly EventRow[];
  credits: readonly CreditRow[];
  accounts: readonly AccountRow[];
  runs: readonly RunRow[];
  /** The entries of the audit log, and those that the export has shown. */
  audited: { written: readonly AuditedRow[]; exported: ReadonlySet<string> };
  /** The organization whose messages were followed, and the last status that the stream has shown of each. */
  followed: { organization: string; seen: ReadonlyMap<string, string> };
  /** What was still open when the wait for quiet was given up; empty when it became quiet. */
  unrest: Record<string, number>;
  /** Milliseconds from the end of the last fault until everything was ready and answered. */
  recoveryMs: number;
  recoveryLimitMs: number;
  recovered: boolean;
  /** What was not ready or did not answer when it should have. */
  late: readonly string[];
}

const markers = /\b(?:compile|send|bulk|push|schedule|event|update|edit)_\d+_/g;

/** The markers in a text, each once. */
export const markersIn = (text: string): string[] => [...new Set(text.match(markers) ?? [])];

const rows = async <T extends pg.QueryResultRow>(
  database: pg.Pool,
  sql: string,
  ids: string[],
): Promise<T[]> => (await database.query<T>(sql, [ids])).rows;

type Tables = Pick<Evidence, 'messages' | 'changes' | 'events' | 'credits' | 'accounts' | 'runs'> & {
  /** The audit log. */
  written: readonly AuditedRow[];
};

const readMessages = (database: pg.Pool, ids: string[]): Promise<MessageRow[]> =>
  rows(
    database,
    `select message.id, message.organization_id, message.status, message.origin, message.origin_id, message.revises,
       message.change, message.revision, message.charged, message.credit_log_id, message.lookups,
       message.posting_at,
       coalesce(state.states = 1 and state.status = message.status and state.changed_at = message.updated_at, false)
         as has_state
     from delivery.messages as message
     left join (
       select message_id, count(*) as states, max(status) as status, max(changed_at) as changed_at
       from delivery.message_states where organization_id = any ($1)
       group by message_id
     ) as state on state.message_id = message.id
     where message.organization_id = any ($1)`,
    ids,
  );

/** SQL of the condition that the message of a live batch has an unknown outcome that is looked for. */
const awaitsLookup = (batchId: string): string =>
  `exists (
     select from delivery.messages as shown
     where shown.organization_id = any ($1) and shown.message_key = 'batch:' || ${batchId}
       and shown.status = 'unknown' and shown.lookup_due_at is not null)`;

/** SQL of the condition that an operation delivers such a batch. */
const isOfAwaiting = (operationId: string): string =>
  `exists (
     select from delivery.deferred_sends as closing
     where closing.operation_id = ${operationId} and closing.status = 'waiting' and closing.origin = 'batch'
       and ${awaitsLookup('closing.origin_id')})`;

const readEvents = async (database: pg.Pool, ids: string[]): Promise<EventRow[]> => {
  const batches = await rows<Omit<EventRow, 'marker'>>(
    database,
    `select id as batch_id, status, message_id, delivery_id, error, live_shown_at is not null as is_live,
       ${awaitsLookup('batches.id')} as awaits_lookup
     from queue_ingest.batches where organization_id = any ($1)`,
    ids,
  );
  const byId = new Map(batches.map((it) => [it.batch_id, it]));
  return (await storedEvents(database, ids)).flatMap(({ id: marker, batch_id }) => {
    const batch = byId.get(batch_id);
    return batch ? [{ ...batch, marker }] : [];
  });
};

/** Reads the tables. */
export const readTables = async (database: pg.Pool, ids: string[]): Promise<Tables> => {
  const { own: messages = [], change: changes = [] } = Object.groupBy(
    await readMessages(database, ids),
    ({ revises }) => (revises === null ? 'own' : 'change'),
  );
  return {
    messages,
    changes,
    written: await rows(
      database,
      'select id, organization_id, changes::text as facts from organization.audit_log where organization_id = any ($1)',
      ids,
    ),
    events: await readEvents(database, ids),
    credits: await rows(
      database,
      `select id, kind, amount, operation, operation_id
     from organization.credit_log where organization_id = any ($1)`,
      ids,
    ),
    accounts: await rows(
      database,
      `select organization_id, balance, reserved,
       (select coalesce(sum(amount), 0) from organization.credit_log as line
        where line.organization_id = account.organization_id) as ledger,
       (select coalesce(sum(open_items), 0) from organization.reservations as held
        where held.organization_id = account.organization_id and closed_at is null) as held,
       (select count(*) from organization.reservations as held
        where held.organization_id = account.organization_id and closed_at is null
        and created_at < now() - interval '1 minute' and not ${isOfAwaiting('held.operation_id')}) as old
     from organization.credit_accounts as account
     where organization_id = any ($1)`,
      ids,
    ),
    runs: await rows(
      database,
      `select scheduled_message_id, status from delivery.scheduled_runs where organization_id = any ($1)`,
      ids,
    ),
  };
};

/** What is still under way, by table. */
const openWork: Record<string, string> = {
  messages: `select count(*) from delivery.messages
    where organization_id = any ($1) and status in ('accepted', 'posting')`,
  'deferred sends': `select count(*) from delivery.deferred_sends
    where organization_id = any ($1) and status = 'waiting'
      and not (origin = 'batch' and ${awaitsLookup('origin_id')})`,
  'scheduled messages': `select count(*) from delivery.scheduled_messages
    where organization_id = any ($1) and status = 'active'`,
  runs: `select count(*) from delivery.scheduled_runs where organization_id = any ($1) and ended_at is null`,
  batches: `select count(*) from queue_ingest.batches
    where organization_id = any ($1) and status not in ('delivered', 'failed', 'unknown')
      and not ${awaitsLookup('batches.id')}`,
  reservations: `select count(*) from organization.reservations
    where organization_id = any ($1) and closed_at is null and not ${isOfAwaiting('reservations.operation_id')}`,
  deliveries: `select count(*) from delivery.deliveries where organization_id = any ($1) and status = 'waiting'`,
  'provisional charges': `select count(*) from organization.provisional_charges where organization_id = any ($1)`,
};

/** A batch that has failed. */
export interface FailedBatch {
  organization_id: string;
  queue_id: string;
  id: string;
}

/** The batches that have failed. */
export const readFailedBatches = (database: pg.Pool, ids: string[]): Promise<FailedBatch[]> =>
  rows(
    database,
    `select organization_id, queue_id, id from queue_ingest.batches
     where organization_id = any ($1) and status = 'failed'`,
    ids,
  );

/** How much of each kind is still under way; only kinds of which there is something. */
export const readUnrest = async (database: pg.Pool, ids: string[]): Promise<Record<string, number>> => {
  const open: Record<string, number> = {};
  for (const [name, sql] of Object.entries(openWork)) {
    const [row] = await rows<{ count: string }>(database, sql, ids);
    if (Number(row?.count) > 0) open[name] = Number(row?.count);
  }
  return open;
};
