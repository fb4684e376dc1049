import type { ErrorBody, PublicEventType } from '@stanza/contracts';
import {
  DueOrganizations,
  nextDue,
  type Queryable,
  statement,
  Tenant,
  type Transaction,
} from '@stanza/runtime';
import { columnsOf } from '@stanza/runtime/table';
import type { Attempt } from '../../chat/platform.ts';
import { type CountEvents, typesIn } from '../../events/store/recording.ts';
import { maxAttempts } from '../attempts.ts';
import { type MessageRow, messages } from '../message-tables.ts';
import { isMessage } from './by-id.ts';
import { endedColumns, recordingOutcomes, subjectOfEnded } from './message-events.ts';
import { unreadFor } from './unread-lookups.ts';

/** The fields of a message for settling it or looking it up. */
export type LeftMessage = Pick<
  MessageRow,
  | 'organization_id'
  | 'environment'
  | 'id'
  | 'operation_id'
  | 'item'
  | 'origin'
  | 'origin_id'
  | 'status'
  | 'credit_log_id'
  | 'workspace_id'
  | 'channel'
  | 'thread_ts'
  | 'posting_at'
  | 'lookups'
  | 'revises'
  | 'change'
  | 'revision'
>;

/** The fields reported to its origin. */
export type ReportedMessage = Pick<
  MessageRow,
  'id' | 'operation_id' | 'origin' | 'origin_id' | 'revises' | 'change' | 'request_id' | 'actor_id'
>;

/** The tenant of a message. */
export const tenantOf = (message: Pick<MessageRow, 'organization_id' | 'environment'>): Tenant =>
  new Tenant(message.organization_id, message.environment);

/** What the statements of this file answer besides: the event that was recorded. */
interface Recorded {
  recorded: PublicEventType | null;
}

/**
 * Milliseconds after its deadline, by the database's clock, until a message counts as abandoned. Its sender ends by the
 * deadline; the margin covers an outcome being written.
 */
const graceMs = 5_000;
/**
 * Milliseconds until a message whose deferred send waits is looked at again. Looks would otherwise walk over all of these
 * to the others.
 */
const leftAloneMs = 60_000;

/** Finds the time until a message without an outcome counts as abandoned, negative once it does. */
export const nextAbandoned = nextDue('messages-next-deadline', {
  from: 'message_states',
  moment: 'due_at',
  where: "status in ('accepted', 'posting')",
  afterMs: graceMs,
});

const abandon = statement<LeftMessage & Recorded>(
  'messages-abandon',
  `with overdue as (
     select message.organization_id, message.environment, message.id, state.changed_at,
       message.status = 'accepted' and message.origin not in ('send', 'bulk') and exists (
         select
         from deferred_sends as send
         where send.organization_id = message.organization_id
           and send.environment = message.environment
           and send.operation_id = message.operation_id
           and send.status = 'waiting') as waits
     from message_states as state
     join messages as message on ${isMessage('message', {
       organization: 'state.organization_id',
       environment: 'state.environment',
       id: 'state.message_id',
     })}
     where state.status in ('accepted', 'posting')
       and state.due_at < (select clock_timestamp()) - $1 * interval '1 millisecond'
       and message.status in ('accepted', 'posting')
       and message.deadline_at < (select clock_timestamp()) - $1 * interval '1 millisecond'
     order by state.due_at
     limit $2
     for update of message skip locked
   ), left_alone as (
     update message_states as state
     set due_at = clock_timestamp() + $7 * interval '1 millisecond'
     from overdue
     where overdue.waits
       and state.organization_id = overdue.organization_id
       and state.environment = overdue.environment
       and state.changed_at = overdue.changed_at
       and state.message_id = overdue.id
   ), abandoned as (
     select organization_id, environment, id
     from overdue
     where not waits
   ), ended as (
     update messages as message
     set status = case message.status when 'accepted' then 'failed' else 'unknown' end,
         error = case message.status when 'accepted' then $3 else $4 end,
         error_facts = case message.status when 'accepted' then $5::json
           else json_build_object('message', $6::text, 'details', coalesce(message.revises, message.id)) end,
         charged = false,
         lookup_due_at = case when message.status = 'posting' and message.visible_to is null then clock_timestamp() end,
         updated_at = clock_timestamp()
     from abandoned
     where message.organization_id = abandoned.organization_id
       and message.environment = abandoned.environment
       and message.id = abandoned.id
     returning ${columnsOf(messages, 'message')}
   ), ${recordingOutcomes()}
   select ended.*, recorded.type as recorded
   from ended
   left join recorded on recorded.subject = ${subjectOfEnded}`,
  { wakes: 'deliver-to-destinations' },
);

/**
 * Ends messages whose sender died, of any tenant: those not yet posted fail, except those of a waiting deferred send;
 * the others get an unknown outcome. Each is returned once, to be settled in the same transaction.
 */
export const abandonMessages = async (
  tx: Transaction,
  options: { limit: number; failed: ErrorBody; unknown: ErrorBody },
  countEvents: CountEvents,
): Promise<LeftMessage[]> => {
  const { code, ...facts } = options.failed;
  const rows = await tx.query(abandon, [
    graceMs,
    options.limit,
    code,
    options.unknown.code,
    JSON.stringify(facts),
    options.unknown.message,
    leftAloneMs,
  ]);
  tx.afterCommit(() => countEvents(typesIn(rows)));
  return rows;
};

/** A message to be looked up. */
export type DueLookup = LeftMessage & {
  /** Its post began so long ago that its absence counts. */
  is_settled: boolean;
};

const isLookedUp = "status = 'unknown' and due_at is not null";

/** Makes what finds the organizations with due lookups. */
export const dueLookups = (): DueOrganizations =>
  new DueOrganizations({ name: 'message-lookups', table: 'message_states', where: isLookedUp });

/** Finds the time until the next message is to be looked up. */
export const nextLookup = nextDue('messages-next-lookup', {
  from: 'message_states',
  moment: 'due_at',
  where: isLookedUp,
});

// Organizations take turns: the first message of each, then the second of each, the longest-waiting organization first. The
// rows are found one by one, and by their place in the table: to join a few of them Postgres may read all of an
// organization's.
const claimLookups = statement<DueLookup>(
  'messages-claim-lookups',
  `with organization as (
     select unnest($4::uuid[]) as organization_id
   ),
   due as (
     select organization.organization_id, first.environment, first.message_id
     from organization
     left join unnest($5::uuid[], $6::integer[]) as busy (organization_id, places)
       on busy.organization_id = organization.organization_id
     cross join lateral (
       select state.environment, state.message_id, state.due_at,
         coalesce(busy.places, 0) + row_number() over (order by state.due_at) as turn
       from message_states as state
       where state.organization_id = organization.organization_id
         and state.status = 'unknown'
         and state.due_at is not null
         and state.due_at <= (select clock_timestamp())
       order by state.due_at
       limit greatest(0, $7 - coalesce(busy.places, 0))) as first
     order by first.turn, first.due_at
     limit $1
   ),
   placed as (
     select message.place
     from due
     cross join lateral (
       select message.ctid as place
       from messages as message
       where ${isMessage('message', {
         organization: 'due.organization_id',
         environment: 'due.environment',
         id: 'due.message_id',
       })}
       limit 1) as message
   ),
   mine as (
     select ctid as place
     from messages
     where ctid = any (array(select place from placed))
       and status = 'unknown'
       and lookup_due_at <= clock_timestamp()
     for update skip locked
   )
   update messages as message
   set lookups = message.lookups + 1,
       lookup_due_at = clock_timestamp() + interval '1 millisecond' * coalesce(
         ($2::float8[])[message.lookups + 1],
         case when message.posting_at > clock_timestamp() - ${unreadFor} then $8::float8 end)
   where message.ctid = any (array(select place from mine))
   returning ${columnsOf(messages, 'message')},
     coalesce(message.posting_at <= clock_timestamp() - $3 * interval '1 millisecond', false) as is_settled`,
);

/** The limits of a claim of lookups. */
export interface LookupRoom {
  /** Most messages claimed now. */
  places: number;
  /** Most messages of one organization in flight. */
  share: number;
  /** Messages in flight, by organization. */
  underWay: ReadonlyMap<string, number>;
  /** Organizations with due lookups. */
  organizations: readonly string[];
}

/** The times of lookups, milliseconds. */
export interface LookupTimes {
  /** From the first lookup to the second, and so on; the last lookup has no successor. */
  delaysMs: readonly number[];
  /** After the beginning of a post, from which on its absence counts. */
  settledMs: number;
  /** For which the last lookup has its message: until it has ended, the message may still be found. */
  leaseMs: number;
}

/**
 * Claims unknown messages whose lookup is due. The next lookup is scheduled first, so a crash in between costs one lookup;
 * the last one is made again after its lease.
 */
export const claimDueLookups = (
  db: Queryable,
  { delaysMs, settledMs, leaseMs }: LookupTimes,
  { places, share, underWay, organizations }: LookupRoom,
): Promise<DueLookup[]> =>
  db.query(claimLookups, [
    places,
    delaysMs,
    settledMs,
    organizations,
    [...underWay.keys()],
    [...underWay.values()],
    share,
    leaseMs,
  ]);

const resolve = statement<ReportedMessage & Recorded>(
  'message-resolve-unknown',
  `with ended as (
     update messages as message
     set status = 'sent',
         message_ts = $4,
         error = null,
         error_facts = null,
         lookup_due_at = case when revises is not null then posting_at + interval '1 minute' end,
         updated_at = clock_timestamp()
     where organization_id = $1
       and environment = $2
       and id = $3
       and status = 'unknown'
     returning message.operation_id, message.actor_id, ${endedColumns}
   ), ${recordingOutcomes(true)}
   select ended.id, ended.operation_id, ended.origin, ended.origin_id, ended.revises, ended.change,
     ended.request_id, ended.actor_id, recorded.type as recorded
   from ended
   left join recorded on recorded.subject = ${subjectOfEnded}`,
  { wakes: 'deliver-to-destinations' },
);

/**
 * Marks an unknown message as sent after it was found. Its credit stays released.
 * @returns the message, if it was unknown until now
 */
export const resolveUnknown = async (
  tenant: Tenant,
  tx: Transaction,
  id: string,
  messageTs: string,
  countEvents: CountEvents,
): Promise<ReportedMessage | undefined> => {
  const rows = await tx.query(resolve, [tenant.organizationId, tenant.environment, id, messageTs]);
  tx.afterCommit(() => countEvents(typesIn(rows)));
  return rows[0];
};

const lock = statement<Pick<MessageRow, 'id'>>(
  'message-lock-unknown',
  `select id
   from messages
   where organization_id = $1
     and environment = $2
     and id = $3
     and status = 'unknown'
   for update`,
);

/** Locks a message until the transaction ends; false when its outcome is known by now. */
export const lockUnknown = async (tenant: Tenant, tx: Transaction, id: string): Promise<boolean> => {
  const rows = await tx.query(lock, [tenant.organizationId, tenant.environment, id]);
  return rows.length === 1;
};

const append = statement<Pick<MessageRow, 'id'>>(
  'message-append-attempts',
  `update messages
   set attempts = (attempts::jsonb || $4::jsonb)::json
   where organization_id = $1
     and environment = $2
     and id = $3
     and json_array_length(attempts) < ${maxAttempts}
   returning id`,
);

/** Adds calls to the log of an ended message, unless it is full: the first ones say what happened to the post. */
export const appendAttempts = async (
  tenant: Tenant,
  db: Queryable,
  id: string,
  attempts: readonly Attempt[],
): Promise<void> => {
  if (attempts.length === 0) return;
  await db.query(append, [tenant.organizationId, tenant.environment, id, JSON.stringify(attempts)]);
};
