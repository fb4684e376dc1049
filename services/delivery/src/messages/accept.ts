import { CodedError } from '@stanza/contracts';
import type { Dependencies } from '../dependencies.ts';
import type { MessageOrder, PreparedMessage } from './message.ts';
import type { MessageOrigin, MessageRow } from './message-tables.ts';
import { tellLeftOut } from './settle.ts';
import type { ReservationWish } from './shared-reservations.ts';
import { holdLease } from './store/deferred-sends.ts';
import { findMessageOf, insertMessage, type NewMessage } from './store/messages.ts';

/** The ledger's operation for an origin of messages. */
const operationOf: Record<MessageOrigin, ReservationWish['wish']['operation']> = {
  send: 'send',
  bulk: 'send-bulk',
  batch: 'batch',
  schedule: 'schedule',
};

/**
 * Reserves the credits of an operation's messages. When the outcome is unknown, the owner of the credits asks for this
 * operation, learns that it accepted nothing, and releases them.
 * @returns the remaining credits once all the messages are charged
 * @throws CodedError without enough credits
 */
export const reserve = (
  { reserve: reserveOne }: Dependencies,
  operation: Pick<MessageOrder, 'tenant' | 'context' | 'compilation' | 'actorId' | 'origin'>,
  messages = 1,
): Promise<number> => {
  const { tenant, context, compilation, actorId, origin } = operation;
  const wish = {
    environment: tenant.environment,
    operation_id: context.operationId,
    operation: operationOf[origin],
    template_id: compilation.template_id,
    actor_id: actorId,
    amount: messages,
  };
  return reserveOne({ organizationId: tenant.organizationId, wish, context });
};

/** The row of a message before anything has happened to it. */
export const rowOf = (message: PreparedMessage, remainingCredits: number): NewMessage => {
  const { context, rendered, recipient } = message;
  return {
    channel_id: null,
    recipient_email: null,
    recipient_chat_id: null,
    ...recipient,
    id: message.id,
    operation_id: context.operationId,
    item: message.item,
    origin: message.origin,
    origin_id: message.originId,
    template_id: message.compilation.template_id,
    version_id: rendered.version_id,
    version_number: rendered.version_number,
    test: message.test !== undefined,
    thread_ts: message.threadTs,
    workspace_id: message.access.workspaceId,
    credit_log_id: message.creditLogId,
    remaining_credits: remainingCredits,
    warnings: rendered.warnings,
    fields_truncated: rendered.fields_truncated,
    request_id: context.requestId,
    actor_id: message.actorId,
    key_digest: context.keyDigest ?? null,
    fence: message.fence,
    deadline: message.deadline,
  };
};

/**
 * Writes the row of a deferred send whose credit is reserved, while its lease is held: once another try has ended it,
 * no message may exist. From here on it gets an outcome, even after a crash.
 * @returns the row, when another try has written it before
 * @throws CodedError `service_unavailable` when the time of this try is up; the reservation is kept for the next
 * @throws LostLease when another process has claimed it
 */
export const accept = async (
  { database, outbox }: Dependencies,
  message: PreparedMessage,
  remainingCredits: number,
): Promise<MessageRow | undefined> => {
  const { tenant, context, fence, origin, originId, rendered } = message;
  const { operationId } = context;
  const isNew = await database.transaction(async (tx) => {
    await holdLease(tenant, tx, { operation_id: operationId, tries: fence });
    const isInserted = await insertMessage(tenant, tx, rowOf(message, remainingCredits));
    if (isInserted && origin === 'batch' && originId !== null) {
      await tellLeftOut(outbox, tx, tenant, { operationId, originId, leftOut: rendered.left_out });
    }
    return isInserted;
  });
  if (isNew) return undefined;
  const before = await findMessageOf(tenant, database, operationId, 0);
  if (before) return before;
  throw new CodedError('service_unavailable', {
    message: 'The request could not be accepted in time. Nothing was posted.',
    retry_after: 1,
    nothing_done: true,
  });
};
