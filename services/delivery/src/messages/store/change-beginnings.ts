import { findRow, type Queryable, statement, type Tenant } from '@stanza/runtime';
import { fiftyAMinute, takingFreeSlot } from '../../chat/store/method-slots.ts';
import type { MessageRow } from '../message-tables.ts';
import { type NewMessage, valuesOf } from './beginnings.ts';
import { isMessage } from './by-id.ts';
import { givenColumns, newColumns, newValues } from './messages.ts';
import { comesBeforeUpdate, numbers } from './revisions.ts';

/** The change of a message that is to begin. */
export interface ChangeBeginning {
  tenant: Tenant;
  row: NewMessage;
  /** The message. */
  revises: string;
  /** The chat connection of the call. */
  connectionId: string;
  /** The revision that its caller has read. */
  expected: number | undefined;
}

/** What the beginning of a change has found and done. */
export interface ChangeBegun extends Pick<MessageRow, 'status' | 'visible_to' | 'channel' | 'message_ts'> {
  /** The revision that the channel shows once all changes before have their outcome. */
  current: number;
  /** Whether the connection is still that of the environment. */
  is_connected: boolean;
  /** The number of the change; null when it was not inserted. */
  revision: number | null;
  /** When an update begins whose turn it is; null where it waits, or shows the same content. */
  posting_at: Date | null;
  /** The slot of its call has been taken with it. */
  has_slot: boolean;
}

const message = { organization: '$1', environment: '$2', id: '$3' };

// Changes that begin at one time get their numbers one after the other: each looks once it has locked the message. An
// update with nothing before it begins at once. A deletion, and what a click makes of a message, takes its turn by itself:
// where the answer of this statement is lost nothing ends it at once, and one that was begun would count as unknown.
const begin = statement<ChangeBegun>(
  'change-begin',
  `with given as materialized (
     select *
     from json_to_recordset($4::json) as given (${givenColumns})
   ), message as materialized (
     select status, visible_to, channel, message_ts, content_digest
     from messages
     where ${isMessage('messages', message)}
       and revises is null
   ), numbers as materialized (
     ${numbers}
   ), connected as materialized (
     select exists (
       select
       from chat_connections as connection
       where connection.organization_id = $1
         and connection.environment = $2
         and connection.id = $5::uuid
         and connection.revoked_at is null) as is_connected
   ), claimed as (
     insert into withdrawn_operations (organization_id, environment, operation_id, withdrawn_at)
     select $1, $2, given.operation_id, clock_timestamp()
     from given, message, numbers, connected
     where given.remaining_ms > 0
       and message.status = 'sent'
       and message.visible_to is null
       and ($6::bigint is null or numbers.current = $6)
       and connected.is_connected
     on conflict do nothing
     returning operation_id
   ), turn as (
     select given.change = 'update'
       and given.remaining_ms >= $7
       and message.channel is not null
       and message.message_ts is not null
       and message.content_digest is distinct from given.content_digest
       and not exists (
         select
         from messages as change
         where change.organization_id = $1
           and change.environment = $2
           and change.revises = $3
           and ${comesBeforeUpdate('change')}) as is_now
     from given, message
   ), written as (
     insert into messages (${newColumns}, revision, status, channel, posting_at, posting_fence)
     select ${newValues}, numbers.next,
       case when turn.is_now then 'posting' else 'accepted' end,
       case when turn.is_now then message.channel end,
       case when turn.is_now then clock_timestamp() end,
       case when turn.is_now then given.fence end
     from claimed, given, message, numbers, turn
     on conflict on constraint messages_once do nothing
     returning revision, posting_at
   ), slot as (
     ${takingFreeSlot("select given.workspace_id, 'chat.update' from given, written where written.posting_at is not null", fiftyAMinute)}
     returning workspace_id
   )
   select message.status, message.visible_to, message.channel, message.message_ts, numbers.current,
     connected.is_connected, written.revision, written.posting_at, exists (select from slot) as has_slot
   from message
   cross join numbers
   cross join connected
   left join written on true`,
  {
    first: {
      name: 'change-lock-message',
      text: `select
   from messages
   where ${isMessage('messages', message)}
   for no key update`,
      takes: [1, 2, 3],
    },
  },
);

/**
 * Begins a change of a message that is in its channel: takes the key of its operation and inserts it behind the changes
 * before it.
 * @param minMs milliseconds that must be left of the deadline for a call
 * @returns undefined where there is no such message
 */
export const beginChangeRow = (
  db: Queryable,
  { tenant, row, revises, connectionId, expected }: ChangeBeginning,
  minMs: number,
): Promise<ChangeBegun | undefined> => {
  // Made once the statement has its connection, so that the time of the wait for one is not counted as left.
  const given = { toPostgres: () => JSON.stringify([valuesOf(row)]) };
  const values = [revises, given, connectionId, expected ?? null, minMs];
  return findRow(db, begin, [tenant.organizationId, tenant.environment, ...values]);
};
