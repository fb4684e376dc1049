import { type Queryable, statement, type Tenant } from '@stanza/runtime';
import type { Deadline } from '../../deadline.ts';
import type { MessageRow } from '../message-tables.ts';

/** The columns that all new messages of an operation have in common. */
type CommonColumns = Pick<
  MessageRow,
  | 'operation_id'
  | 'origin'
  | 'origin_id'
  | 'template_id'
  | 'test'
  | 'workspace_id'
  | 'remaining_credits'
  | 'request_id'
  | 'actor_id'
  | 'key_digest'
  | 'fence'
>;

/** A new message. */
export type NewMessage = CommonColumns &
  Pick<
    MessageRow,
    | 'id'
    | 'item'
    | 'version_id'
    | 'version_number'
    | 'channel_id'
    | 'recipient_email'
    | 'recipient_chat_id'
    | 'thread_ts'
    | 'credit_log_id'
    | 'warnings'
    | 'fields_truncated'
    | 'revises'
    | 'change'
    | 'revision'
    | 'content_digest'
    | 'visible_to'
    | 'message_key'
  > & {
    /** The deadline of its sender. */
    deadline: Deadline;
  };

/** The values of a new message; the time that is left is that of this moment, so it is called for the statement. */
export const valuesOf = <T extends NewMessage>({ deadline, ...message }: T) => ({
  ...message,
  remaining_ms: deadline.remaining,
});

/** A message of a request, with its conversation where that is known. */
export type BeginningMessage = NewMessage & { channel: string | undefined };

/** The messages of a request whose credits are reserved. */
export interface Beginning {
  tenant: Tenant;
  operationId: string;
  /** The chat connection of the post. */
  connectionId: string;
  messages: readonly [BeginningMessage, ...BeginningMessage[]];
}

/** The result of a beginning. */
export type Begun =
  /** All messages are inserted; `postingAt` has those whose post may begin at once. */
  | { kind: 'begun'; postingAt: ReadonlyMap<string, Date> }
  /** The connection was replaced, deleted or revoked. Nothing is inserted. */
  | { kind: 'stale' }
  /** The operation was begun or withdrawn before, or too little of its time is left. Nothing is inserted. */
  | { kind: 'refused' };

// A withdrawal inserts the same key of the operation: one of the two waits for the other, and a later withdrawal finds the
// messages. The deadline is by the database's clock, since other processes compare it with theirs, and counts from the
// start of the statement: what has waited too long for its key takes no slot. Keys and slots are taken in the order of
// their names, so two replicas never wait for each other. A repeat whose key was forgotten takes it again, meets the
// messages and inserts none: asking for them first would cost each send a look, and all of an organization's messages where
// Postgres plans without statistics. The slots that were free are looked up in one object: as a join, which Postgres
// takes for one of few rows, they were compared with each message, a third of the time of a hundred. What the messages of an
// operation have in common is given once: of 2.4 ms to read a hundred it takes 1.1 away. Operations are counted, since a
// repeat may come with the operation that it repeats.
const begin = statement<{
  id: string;
  is_connected: boolean;
  is_begun: boolean;
  posting_at: Date | null;
}>(
  'messages-begin',
  `with operation as materialized (
     select *, clock_timestamp() + remaining_ms * interval '1 millisecond' as deadline_at
     from json_to_recordset($2::json) as operation (
       place integer, environment text, connection_id uuid, operation_id uuid, template_id uuid, workspace_id text,
       remaining_credits bigint, request_id text, actor_id text, remaining_ms float8, fence integer, origin text,
       origin_id uuid, key_digest text, test boolean)
   ), given as materialized (
     select *
     from json_to_recordset($3::json) as given (
       place integer, id uuid, item integer, version_id uuid, version_number integer, channel_id text,
       recipient_email text, recipient_chat_id text, thread_ts text, credit_log_id uuid, warnings json,
       fields_truncated integer, content_digest text, visible_to text, message_key text, channel text, takes_slot boolean)
   ), connected as (
     select operation.place
     from operation
     join chat_connections as connection
       on connection.organization_id = $1
       and connection.environment = operation.environment
       and connection.id = operation.connection_id
     where connection.revoked_at is null
   ), claimed as (
     insert into withdrawn_operations (organization_id, environment, operation_id, withdrawn_at)
     select $1, environment, operation_id, clock_timestamp()
     from operation
     join connected using (place)
     where remaining_ms >= $4
     order by environment, operation_id
     on conflict do nothing
     returning environment, operation_id
   ), accepted as materialized (
     select *
     from given
     join operation using (place)
     join claimed using (environment, operation_id)
   ), slots as (
     insert into channel_slots as slot (workspace_id, channel, next_free_at)
     select workspace_id, channel, clock_timestamp() + interval '1 second'
     from accepted
     where takes_slot and clock_timestamp() + $4 * interval '1 millisecond' <= deadline_at
     order by workspace_id, channel
     on conflict (workspace_id, channel) do update
     set next_free_at = greatest(slot.next_free_at, clock_timestamp()) + interval '1 second'
     where slot.next_free_at - interval '2 seconds' <= clock_timestamp()
     returning workspace_id, channel
   ), taken as materialized (
     select coalesce(jsonb_object_agg(workspace_id || ' ' || channel, true), '{}') as places
     from slots
   ), placed as (
     select accepted.*, takes_slot and taken.places ? (workspace_id || ' ' || channel) as has_slot
     from accepted
     cross join taken
   ), written as (
     insert into messages
       (organization_id, environment, id, operation_id, item, template_id, version_id, version_number,
        channel_id, recipient_email, recipient_chat_id, thread_ts, workspace_id, credit_log_id, remaining_credits,
        warnings, fields_truncated, request_id, actor_id, deadline_at, fence, origin, origin_id, key_digest,
        content_digest, visible_to, message_key, test, status, channel, posting_at, posting_fence, attempts, created_at, updated_at)
     select $1, environment, id, operation_id, item, template_id, version_id, version_number,
        channel_id, recipient_email, recipient_chat_id, thread_ts, workspace_id, credit_log_id, remaining_credits,
        warnings, fields_truncated, request_id, actor_id, deadline_at, fence, origin, origin_id, key_digest,
        content_digest, visible_to, message_key, test, case when has_slot then 'posting' else 'accepted' end,
        case when has_slot then channel end,
        case when has_slot then clock_timestamp() end,
        case when has_slot then fence end,
        '[]', clock_timestamp(), clock_timestamp()
     from placed
     order by item
     on conflict on constraint messages_once do nothing
     returning id, posting_at
   )
   select given.id, connected.place is not null as is_connected, written.id is not null as is_begun,
     written.posting_at
   from given
   left join connected using (place)
   left join written on written.id = given.id`,
);

/** @param place its number in the statement */
const operationOf = ({ tenant, connectionId, messages: [first] }: Beginning, place: number): object => {
  const { operation_id, origin, origin_id, template_id, test, workspace_id, remaining_credits } = first;
  const { request_id, actor_id, key_digest, fence, deadline } = first;
  return {
    ...{ operation_id, origin, origin_id, template_id, test, workspace_id, remaining_credits },
    ...{ request_id, actor_id, key_digest, fence, remaining_ms: deadline.remaining },
    place,
    environment: tenant.environment,
    connection_id: connectionId,
  };
};

/** What a message has of its own, without what it has not: Postgres reads each name of a hundred messages. */
const ownOf = (message: BeginningMessage, place: number, takesSlot: boolean): object => {
  const { id, item, version_id, version_number, channel_id, recipient_email } = message;
  const { recipient_chat_id, thread_ts, credit_log_id, warnings, fields_truncated, content_digest } = message;
  const { visible_to, message_key, channel } = message;
  const optional = { channel_id, recipient_email, recipient_chat_id, thread_ts, visible_to, message_key };
  return {
    ...{ place, id, item, version_id, version_number, credit_log_id, warnings, fields_truncated },
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== null)),
    ...{ content_digest, channel, takes_slot: takesSlot },
  };
};

/** The first message of a channel takes its slot here; further messages of the channel take theirs later. */
const messagesOf = (beginnings: readonly Beginning[]): object[] => {
  const taken = new Set<string>();
  return beginnings.flatMap(({ messages }, place) =>
    messages.map((message) => {
      const slot = `${message.workspace_id} ${message.channel}`;
      const takesSlot = message.channel !== undefined && !taken.has(slot);
      if (takesSlot) taken.add(slot);
      return ownOf(message, place, takesSlot);
    }),
  );
};

/**
 * Begins operations of one organization, each with all of its messages or none: takes the key of the operation and inserts
 * the messages, as `posting` where the slot of the channel is free now, else as `accepted`.
 * @param minMs milliseconds that must be left of the deadline
 * @returns one result for each operation, in order
 */
export const beginMessages = async (
  db: Queryable,
  organizationId: string,
  beginnings: readonly Beginning[],
  minMs: number,
): Promise<Begun[]> => {
  // Made once the statement has its connection, so that the time of the wait for one is not counted as left.
  const operations = { toPostgres: () => JSON.stringify(beginnings.map(operationOf)) };
  const rows = await db.query(begin, [
    organizationId,
    operations,
    JSON.stringify(messagesOf(beginnings)),
    minMs,
  ]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return beginnings.map(({ messages }): Begun => {
    const own = messages.map(({ id }) => byId.get(id));
    if (own.every((row) => row?.is_begun)) {
      const posting = own.flatMap((row) => (row?.posting_at ? [[row.id, row.posting_at] as const] : []));
      return { kind: 'begun', postingAt: new Map(posting) };
    }
    return { kind: own.some((row) => row?.is_connected === false) ? 'stale' : 'refused' };
  });
};
