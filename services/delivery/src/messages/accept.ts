import { CodedError, type InputOf, reserveCredits } from '@stanza/contracts';
import type { Dependencies } from '../dependencies.ts';
import type { MessageOrigin, MessageRow } from '../store/rows.ts';
import type { MessageOrder, PreparedMessage } from './message.ts';
import { settle } from './settle.ts';
import { holdLease } from './store/deferred-sends.ts';
import { findMessagesOf, insertMessages, type NewMessage } from './store/messages.ts';
import { withdrawOperations } from './store/reservations.ts';

/** What the ledger calls that which sends a message. */
const operationOf: Record<MessageOrigin, InputOf<typeof reserveCredits>['operation']> = {
  send: 'send',
  bulk: 'send-bulk',
  batch: 'batch',
  schedule: 'schedule',
};

/**
 * Sets the credits of an operation's messages aside. When it cannot be said whether that happened, the owner of the
 * credits will ask for this operation, hear that it accepted nothing, and release them.
 * @returns the credits that are left once all the messages are charged
 * @throws CodedError when there are too few
 */
export const reserve = async (
  dependencies: Dependencies,
  operation: Pick<MessageOrder, 'tenant' | 'context' | 'compilation' | 'actorId' | 'origin'>,
  messages = 1,
): Promise<number> => {
  const { tenant, context, compilation, actorId, origin } = operation;
  const { remaining_credits } = await dependencies.rpc.call(
    reserveCredits,
    {
      organization_id: tenant.organizationId,
      environment: tenant.environment,
      operation_id: context.operationId,
      operation: operationOf[origin],
      template_id: compilation.template_id,
      actor_id: actorId,
      amount: messages,
    },
    context,
  );
  return remaining_credits;
};

const rowOf = (message: PreparedMessage, remainingCredits: number): NewMessage => {
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
    remaining_ms: message.deadline.remaining,
  };
};

/** Writes the rows of a deferred send while its lease is held: once another try has ended it, there must be no message. */
const insertUnderLease = (
  { database }: Dependencies,
  { tenant, context }: Operation,
  rows: readonly NewMessage[],
): Promise<boolean> =>
  database.transaction(async (tx) => {
    const fence = rows[0]?.fence ?? 0;
    await holdLease(tenant, tx, { operation_id: context.operationId, tries: fence });
    return insertMessages(tenant, tx, rows);
  });

/** What the messages of an operation have in common. */
type Operation = Pick<MessageOrder, 'tenant' | 'context' | 'origin'>;

/**
 * Writes the rows of an operation's messages, whose credits are reserved: from here on each has an outcome, whatever
 * happens. All are written, or none.
 * @returns the rows, when the same operation has written them before; else none
 * @throws CodedError `service_unavailable` when its time is up; the credits are released
 */
export const acceptAll = async (
  dependencies: Dependencies,
  operation: Operation,
  messages: readonly PreparedMessage[],
  remainingCredits: number,
): Promise<MessageRow[]> => {
  const { tenant, context, origin } = operation;
  const isDeferred = origin !== 'send' && origin !== 'bulk';
  const rows = messages.map((message) => rowOf(message, remainingCredits));
  const isNew = isDeferred
    ? await insertUnderLease(dependencies, operation, rows)
    : await insertMessages(tenant, dependencies.database, rows);
  if (isNew) return [];
  const before = await findMessagesOf(tenant, dependencies.database, context.operationId);
  if (before.length > 0) return before;
  // A message for which nobody waits keeps its reservation, and is tried again.
  if (!isDeferred) await giveUp(dependencies, operation, messages);
  throw new CodedError('service_unavailable', {
    message: 'The request could not be accepted in time. Nothing was posted.',
    retry_after: 1,
    nothing_done: true,
  });
};

/** The same for an operation of one message. */
export const accept = async (
  dependencies: Dependencies,
  message: PreparedMessage,
  remainingCredits: number,
): Promise<MessageRow | undefined> => {
  const [before] = await acceptAll(dependencies, message, [message], remainingCredits);
  return before;
};

/** Too late to begin: nothing may be posted for the operation any more, and its credits are released. */
const giveUp = async (
  dependencies: Dependencies,
  { tenant, context }: Operation,
  messages: readonly PreparedMessage[],
): Promise<void> => {
  const operation = {
    organization_id: tenant.organizationId,
    environment: tenant.environment,
    operation_id: context.operationId,
  };
  const items = messages.map(({ item, id, creditLogId }) => ({
    item,
    messageId: id,
    creditLogId,
    charged: false,
  }));
  await dependencies.database.transaction(async (tx) => {
    await withdrawOperations(tx, [operation]);
    await settle(dependencies.outbox, tx, tenant, context.operationId, items);
  });
};
