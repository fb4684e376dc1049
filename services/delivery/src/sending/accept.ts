import { CodedError } from '@stanza/contracts';
import type { MessageRow } from '../domain/rows.ts';
import type { Parts } from '../parts.ts';
import { findMessageOf, insertMessage } from '../store/messages.ts';
import { withdrawOperations } from '../store/reservations.ts';
import type { PreparedMessage } from './prepare.ts';
import { settle } from './settle.ts';

/**
 * Writes the row of a message whose credit is reserved: from here on it has an outcome, whatever happens.
 * @returns the row, when the same operation has written it before
 * @throws CodedError `service_unavailable` when its time is up; the credit is released
 */
export const accept = async (
  parts: Parts,
  message: PreparedMessage,
  remainingCredits: number,
): Promise<MessageRow | undefined> => {
  const { tenant, context, rendered, recipient } = message;
  const isAccepted = await insertMessage(tenant, parts.database, {
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
    deadline_at: message.deadline.timeOfDay,
  });
  if (isAccepted) return undefined;
  const before = await findMessageOf(tenant, parts.database, context.operationId, message.item);
  if (before) return before;
  // A message for which nobody waits keeps its reservation, and is tried again.
  if (message.origin === 'send' || message.origin === 'bulk') await giveUp(parts, message);
  throw new CodedError('service_unavailable', {
    message: 'The message could not be accepted in time. Nothing was posted.',
    retry_after: 1,
    nothing_done: true,
  });
};

/** Too late to begin: nothing may be posted for the operation any more, and its credit is released. */
const giveUp = async (parts: Parts, message: PreparedMessage): Promise<void> => {
  const { tenant, context, item, id, creditLogId } = message;
  const operation = {
    organization_id: tenant.organizationId,
    environment: tenant.environment,
    operation_id: context.operationId,
  };
  const settled = { operationId: context.operationId, item, messageId: id, creditLogId };
  await parts.database.transaction(async (tx) => {
    await withdrawOperations(tx, [operation], parts.clock.now());
    await settle(parts.outbox, tx, tenant, settled, false);
  });
};
