import type { ErrorBody } from '@stanza/contracts';
import { type Queryable, statement, Tenant, type Transaction } from '@stanza/runtime';
import type { Attempt } from '../../chat/chat-outcome.ts';
import type { MessageRow } from '../../store/rows.ts';

/** What is needed of a message to settle or to look it up. */
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
>;

/** What its origin is told of a message. */
export type ReportedMessage = Pick<MessageRow, 'id' | 'operation_id' | 'origin' | 'origin_id'>;

/** Whose message it is. */
export const tenantOf = (message: Pick<MessageRow, 'organization_id' | 'environment'>): Tenant =>
  new Tenant(message.organization_id, message.environment);

const abandon = statement<LeftMessage>(
  'messages-abandon',
  `with abandoned as (
     select organization_id, environment, id
     from messages
     where status in ('accepted', 'posting')
       and deadline_at < (select clock_timestamp()) - $1 * interval '1 millisecond'
       and (status = 'posting' or origin in ('send', 'bulk') or not exists (
         select
         from deferred_sends as send
         where send.organization_id = messages.organization_id
           and send.environment = messages.environment
           and send.operation_id = messages.operation_id
           and send.status = 'waiting'))
     order by deadline_at
     limit $2
     for update of messages skip locked)
   update messages as message
   set status = case message.status when 'accepted' then 'failed' else 'unknown' end,
       error = case message.status when 'accepted' then $3 else $4 end,
       error_facts = case message.status when 'accepted' then $5::json
         else json_build_object('message', $6::text, 'details', message.id) end,
       charged = false,
       lookup_due_at = case message.status when 'posting' then clock_timestamp() end,
       updated_at = clock_timestamp()
   from abandoned
   where message.organization_id = abandoned.organization_id
     and message.environment = abandoned.environment
     and message.id = abandoned.id
   returning message.*`,
);

/**
 * Ends messages whose sender is gone, of any tenant: those it had not begun to post have failed, unless they are those of a
 * deferred send that goes on; of the others the outcome is unknown. Each is answered once, to be settled in the same transaction.
 */
export const abandonMessages = (
  tx: Transaction,
  options: { graceMs: number; limit: number; failed: ErrorBody; unknown: ErrorBody },
): Promise<LeftMessage[]> => {
  const { code, ...facts } = options.failed;
  return tx.query(abandon, [
    options.graceMs,
    options.limit,
    code,
    options.unknown.code,
    JSON.stringify(facts),
    options.unknown.message,
  ]);
};

const claimLookups = statement<LeftMessage>(
  'messages-claim-lookups',
  `with due as (
     select organization_id, environment, id
     from messages
     where lookup_due_at <= (select clock_timestamp())
     order by lookup_due_at
     limit $1
     for update skip locked)
   update messages as message
   set lookups = message.lookups + 1,
       lookup_due_at = clock_timestamp() + ($2::float8[])[message.lookups + 1] * interval '1 millisecond'
   from due
   where message.organization_id = due.organization_id
     and message.environment = due.environment
     and message.id = due.id
   returning message.*`,
);

/**
 * Takes unknown messages of any tenant whose lookup is due. The next one is set before this one is made, so that a crash
 * in between costs one lookup.
 * @param delaysMs milliseconds from the first lookup to the second, and so on; after the last there is no other
 */
export const claimDueLookups = (
  db: Queryable,
  delaysMs: readonly number[],
  limit: number,
): Promise<LeftMessage[]> => db.query(claimLookups, [limit, delaysMs]);

const resolve = statement<ReportedMessage>(
  'message-resolve-unknown',
  `update messages
   set status = 'sent',
       message_ts = $4,
       error = null,
       error_facts = null,
       lookup_due_at = null,
       updated_at = clock_timestamp()
   where organization_id = $1
     and environment = $2
     and id = $3
     and status = 'unknown'
   returning id, operation_id, origin, origin_id`,
);

/**
 * An unknown message was found in the channel: it was sent. Its credit was released and stays so.
 * @returns the message, when it was unknown until now
 */
export const resolveUnknown = async (
  tenant: Tenant,
  tx: Transaction,
  id: string,
  messageTs: string,
): Promise<ReportedMessage | undefined> => {
  const [message] = await tx.query(resolve, [tenant.organizationId, tenant.environment, id, messageTs]);
  return message;
};

const append = statement<Pick<MessageRow, 'id'>>(
  'message-append-attempts',
  `update messages
   set attempts = (attempts::jsonb || $4::jsonb)::json
   where organization_id = $1
     and environment = $2
     and id = $3
   returning id`,
);

/** Adds calls to the log of a message that has ended. */
export const appendAttempts = async (
  tenant: Tenant,
  db: Queryable,
  id: string,
  attempts: readonly Attempt[],
): Promise<void> => {
  if (attempts.length === 0) return;
  await db.query(append, [tenant.organizationId, tenant.environment, id, JSON.stringify(attempts)]);
};
