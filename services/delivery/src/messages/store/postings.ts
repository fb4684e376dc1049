import type { ErrorBody, PublicEventType } from '@stanza/contracts';
import { outboxDueAt, type Queryable, statement, type Tenant, type Transaction } from '@stanza/runtime';
import type { Attempt } from '../../chat/platform.ts';
import { type CountEvents, typesIn } from '../../events/store/recording.ts';
import type { MessageRow } from '../message-tables.ts';
import { isMessage, keyOf } from './by-id.ts';
import { isConnected } from './is-connected.ts';
import { endedColumns, recordingOutcomes, subjectOfEnded } from './message-events.ts';
import { shownColumns } from './revisions.ts';

/** A message whose post is about to begin. */
export interface Posting {
  tenant: Tenant;
  id: string;
  /** The posting try. */
  fence: number;
  /** The conversation to post to. */
  channel: string;
}

// A request took the key of its operation when it began, so it cannot have been withdrawn. A withdrawal that commits while
// this waits has changed the fence as well. The ids are given twice for the
// same reason as in `update`.
const begin = statement<{ id: string; posting_at: Date }>(
  'messages-begin-posting',
  `update messages as message
   set status = 'posting',
       channel = asked.channel,
       posting_at = clock_timestamp(),
       posting_fence = message.fence,
       updated_at = clock_timestamp()
   from unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::integer[])
     as asked (organization_id, environment, id, channel, fence)
   where ${isMessage('message', keyOf('asked'))}
     and message.id = any ((select $3::uuid[])::uuid[])
     and message.status = 'accepted'
     and message.fence = asked.fence
     and message.deadline_at > clock_timestamp() + $6 * interval '1 millisecond'
     and (message.origin in ('send', 'bulk') or not exists (
       select
       from withdrawn_operations as withdrawn
       where withdrawn.organization_id = message.organization_id
         and withdrawn.environment = message.environment
         and withdrawn.operation_id = message.operation_id))
     and ${isConnected('message')}
   returning message.id, message.posting_at`,
);

/**
 * Records that the posts of messages of any tenants begin, before the first byte.
 * @param minMs milliseconds that must be left of the deadline
 * @returns those that may begin, with the moment; the others have ended, belong to a later try, have too little time, or
 * their workspace is no longer connected
 */
export const beginPostings = async (
  db: Queryable,
  postings: readonly Posting[],
  minMs: number,
): Promise<Map<string, Date>> => {
  const rows = await db.query(begin, [
    postings.map((it) => it.tenant.organizationId),
    postings.map((it) => it.tenant.environment),
    postings.map((it) => it.id),
    postings.map((it) => it.channel),
    postings.map((it) => it.fence),
    minMs,
  ]);
  return new Map(rows.map((row) => [row.id, row.posting_at]));
};

/** A message that is in its channel, or a change that the channel shows. */
export interface SentEnding {
  status: 'sent';
  channel: string;
  messageTs: string;
  /** The change was not made, since the channel shows the same content as this revision. */
  unchanged?: number;
  /** Milliseconds for which a call of the change that had no answer may still come about; later changes wait for them. */
  lateForMs?: number;
}

/** The outcome of a message, as its sender knows it. */
export type Ending =
  | SentEnding
  | { status: 'failed'; error: ErrorBody }
  | { status: 'unknown'; error: ErrorBody; lookUpAfterMs?: number };

/** A message and its outcome. */
export interface EndedMessage {
  tenant: Tenant;
  id: string;
  /** The try that ends it. */
  fence: number;
  ending: Ending;
  attempts: readonly Attempt[];
  /** It costs nothing, whatever its outcome. */
  isFree?: boolean;
}

/** The columns of `given`, the values of the update. */
const givenColumns = `organization_id uuid, environment text, id uuid, fence integer, status text, channel text, message_ts text,
     error text, error_facts json, attempts json, look_up_after_ms float8, is_free boolean, unchanged integer`;

/**
 * Ends the messages of the table `given`, whose ids are `$2`, whose outcome is still open. Without statistics of the last
 * minutes, as under load, Postgres takes the wrong way to the rows of a join, so that each statement reads all messages of
 * an organization. So the ids are given as a list, too. With 6,000 messages of one organization a statement took 10 ms, and
 * takes 2 so.
 */
const update = `update messages as message
   set status = given.status,
       channel = coalesce(given.channel, message.channel),
       message_ts = given.message_ts,
       error = given.error,
       error_facts = given.error_facts,
       charged = (given.status = 'sent' and given.is_free is not true),
       revision = coalesce(given.unchanged, message.revision),
       attempts = given.attempts,
       lookup_due_at = clock_timestamp() + given.look_up_after_ms * interval '1 millisecond',
       updated_at = clock_timestamp()
   from given
   where ${isMessage('message', keyOf('given'))}
     and message.id = any ((select $2::uuid[])::uuid[])
     and message.fence = given.fence
     and (message.status = 'accepted' or (message.status = 'posting' and message.posting_fence = given.fence))
   returning ${endedColumns}`;

/** An ended message, and the event that was recorded of it. */
type EndedRow = Pick<MessageRow, 'id'> & { recorded: PublicEventType | null };

/** Whether an event was recorded, and so deliveries were ordered. */
const isRecorded = ({ recorded }: EndedRow): boolean => recorded !== null;

/** The answer of both statements. */
const endedRows = `select ended.id, recorded.type as recorded
   from ended
   left join recorded on recorded.subject = ${subjectOfEnded}`;

const end = statement<EndedRow>(
  'messages-end',
  `with given as materialized (
     select *
     from json_to_recordset($1::json) as given (${givenColumns})
   ), ended as (
     ${update}
   ), ${recordingOutcomes()}
   ${endedRows}`,
  { wakes: 'deliver-to-destinations', wakesFor: isRecorded },
);

// A change that was not made gives its number back.
const givenOf = ({ tenant, id, fence, ending, attempts, isFree }: EndedMessage): object => {
  const sent = ending.status === 'sent' ? ending : undefined;
  const { code, ...facts } = ending.status === 'sent' ? {} : ending.error;
  return {
    organization_id: tenant.organizationId,
    environment: tenant.environment,
    id,
    fence,
    status: ending.status,
    channel: sent?.channel,
    message_ts: sent?.messageTs,
    error: code,
    error_facts: sent ? undefined : facts,
    attempts,
    look_up_after_ms: ending.status === 'unknown' ? ending.lookUpAfterMs : sent?.lateForMs,
    is_free: isFree,
    unchanged: sent?.unchanged,
  };
};

/**
 * Writes the outcomes of messages of any tenants, which decide whether they are charged, and records their events.
 * @param countEvents is told after the commit
 * @returns those that are now ended; the others had an outcome, or belong to a later try
 */
export const endMessages = async (
  tx: Transaction,
  messages: readonly EndedMessage[],
  countEvents: CountEvents,
): Promise<Set<string>> => {
  const rows = await tx.query(end, [JSON.stringify(messages.map(givenOf)), messages.map((it) => it.id)]);
  tx.afterCommit(() => countEvents(typesIn(rows)));
  return new Set(rows.map((row) => row.id));
};

/** A message of a request with its ending and its item of the settlement. */
export interface SettledEnding extends EndedMessage {
  operationId: string;
  settled: object;
  /** Of an update, the message that shows it from now on. The statement has either posts or updates. */
  updates?: string;
}

/** The outbox row of settlements. */
export interface SettlementRow {
  id: string;
  subject: string;
  traceparent: string | null;
}

/** @param alsoDone further parts of the statement, of what it has `ended` */
const endAndSettle = (alsoDone = ''): string => `with given as materialized (
     select *
     from json_to_recordset($1::json) as given (
       operation_id uuid, settled json, ${givenColumns})
   ), ended as (
     ${update}
   ), operation as (
     select given.environment, given.operation_id, json_agg(given.settled) as items,
       row_number() over () as place
     from given
     join ended on ended.id = given.id
     group by given.environment, given.operation_id
   ), settled as (
     insert into outbox (id, kind, subject, payload, traceparent, due_at, attempt)
     select $3, 'work', $4,
       json_build_object('organization_id', $6::uuid, 'environment', first.environment,
         'operation_id', first.operation_id, 'items', first.items, 'others', others.settlements),
       $5, ${outboxDueAt}, 1
     from operation as first
     cross join (
       select coalesce(json_agg(json_build_object('environment', environment, 'operation_id', operation_id,
         'items', items)), '[]') as settlements
       from operation
       where place > 1) as others
     where first.place = 1
   )${alsoDone}, ${recordingOutcomes()}
   ${endedRows}`;

const wakes = { wakes: 'deliver-to-destinations', wakesFor: isRecorded };

const endPosts = statement<EndedRow>('messages-end-and-settle', endAndSettle(), wakes);

// What a click has kept while this waited for the message is seen by what follows, which forgets it.
const endUpdates = statement<EndedRow>(
  'messages-end-and-settle-updates',
  endAndSettle(`, shown as (
     update messages as message
     set ${shownColumns}
     from ended as change
     where change.status = 'sent'
       and change.posting_at is not null
       and ${isMessage('message', { ...keyOf('change'), id: 'change.revises' })}
       and message.id = any ((select $7::uuid[])::uuid[])
       and message.status = 'sent'
       and message.revision < change.revision
   ), forgotten as (
     delete from message_contents as content
     using ended as change
     where change.status in ('sent', 'unknown')
       and change.posting_at is not null
       and content.organization_id = change.organization_id
       and content.environment = change.environment
       and content.message_id = change.revises
   )`),
  {
    ...wakes,
    first: {
      name: 'messages-lock-updated',
      text: `select
   from messages
   where id = any ((select $2::uuid[])::uuid[])
     and case when organization_id = $1 then true else false end
   order by id
   for no key update`,
      takes: [6, 7],
    },
  },
);

/**
 * Writes the outcomes of messages of requests of one organization, their events, and their settlements as one row of the
 * outbox, to be published afterwards.
 * @returns the messages that were ended now; others had an outcome before, and are not settled
 */
export const endAndSettleMessages = async (
  db: Queryable,
  organizationId: string,
  messages: readonly SettledEnding[],
  { id, subject, traceparent }: SettlementRow,
  countEvents: CountEvents,
): Promise<Set<string>> => {
  const updated = messages.flatMap(({ updates }) => updates ?? []);
  const given = messages.map(({ operationId, settled, updates: _, ...ended }) => ({
    ...givenOf(ended),
    operation_id: operationId,
    settled,
  }));
  const ids = messages.map((it) => it.id);
  const values = [JSON.stringify(given), ids, id, subject, traceparent, organizationId];
  const rows =
    updated.length === 0
      ? await db.query(endPosts, values)
      : await db.query(endUpdates, [...values, `{${updated.join()}}`]);
  countEvents(typesIn(rows));
  return new Set(rows.map((row) => row.id));
};
