import { agentOf, authorOf, CodedError } from '@stanza/contracts';
import { audit, InvariantError, type Transaction } from '@stanza/runtime';
import { openAccess } from '../connections/chat-access.ts';
import type { Dependencies } from '../dependencies.ts';
import { giveUp, type SharedOrder } from './give-up.ts';
import type { PreparedMessage } from './message.ts';
import type { MessageRow } from './message-tables.ts';
import { reportLeftOut } from './settle.ts';
import type { Beginning, Begun, NewMessage } from './store/beginnings.ts';
import { holdLease } from './store/deferred-sends.ts';
import { findMessageOf, findMessagesOf, insertMessage } from './store/messages.ts';
import { UnreadRepeat, unposted } from './verdict.ts';

/** The messages of a request. */
export type Messages = readonly [PreparedMessage, ...PreparedMessage[]];

/** Replacements of the connection that one request follows. */
export const maxReplacements = 3;

const beginningOf = (
  { recipients }: Dependencies,
  { tenant, context }: SharedOrder,
  [first, ...others]: Messages,
  remainingCredits: number,
): Beginning => {
  const rowIn = (message: PreparedMessage) => ({
    ...rowOf(message, remainingCredits),
    channel: recipients.known(message.access, message.recipient),
  });
  return {
    tenant,
    operationId: context.operationId,
    connectionId: first.access.connectionId,
    messages: [rowIn(first), ...others.map(rowIn)],
  };
};

/** The messages with access to the current connection. */
const reconnected = async (
  { connections, keyring }: Dependencies,
  { tenant }: SharedOrder,
  [first, ...others]: Messages,
): Promise<Messages> => {
  const access = openAccess(tenant, await connections.read(tenant), keyring);
  return [{ ...first, access }, ...others.map((message) => ({ ...message, access }))];
};

/** The answer of the statement was lost: it may have been committed nevertheless. */
export class LostBeginning extends Error {
  override readonly name = 'LostBeginning';
}

const beginOnce = async ({ writes }: Pick<Dependencies, 'writes'>, beginning: Beginning): Promise<Begun> => {
  try {
    return await writes.begin(beginning);
  } catch (cause) {
    throw new LostBeginning('the answer of a beginning was lost', { cause });
  }
};

/** Repeats the statement with the current connection until none replaces it in between. */
const tryToBegin = async (
  dependencies: Dependencies,
  operation: SharedOrder,
  messages: Messages,
  remainingCredits: number,
): Promise<Messages | 'refused'> => {
  let current = messages;
  for (let replacements = 0; replacements <= maxReplacements; replacements++) {
    const beginning = beginningOf(dependencies, operation, current, remainingCredits);
    const begun = await beginOnce(dependencies, beginning);
    if (begun.kind === 'refused') return 'refused';
    if (begun.kind === 'begun') {
      const { postingAt } = begun;
      const channels = new Map(beginning.messages.map(({ id, channel }) => [id, channel]));
      const withPosting = (message: PreparedMessage): PreparedMessage => {
        const [at, channel] = [postingAt.get(message.id), channels.get(message.id)];
        return at && channel !== undefined ? { ...message, posting: { channel, postingAt: at } } : message;
      };
      const [first, ...others] = current;
      return [withPosting(first), ...others.map(withPosting)];
    }
    current = await reconnected(dependencies, operation, current);
  }
  throw keptChanging();
};

/** The connection was replaced again and again. */
export const keptChanging = (): CodedError =>
  new CodedError('service_unavailable', {
    message: 'The chat connection kept changing. Nothing was posted or changed.',
    retry_after: 1,
  });

const rowsBegunBefore = async (
  { database }: Pick<Dependencies, 'database'>,
  { tenant, context }: SharedOrder,
): Promise<MessageRow[]> => {
  try {
    return await findMessagesOf(tenant, database, context.operationId);
  } catch (cause) {
    throw new UnreadRepeat(cause);
  }
};

/** The result of {@link begin}. */
export type Beginnings =
  /** Each message has an outcome from here on, whatever happens. */
  | { messages: Messages }
  /** The operation was begun before; these are its rows. */
  | { repeated: readonly [MessageRow, ...MessageRow[]] };

/**
 * Inserts the messages of a request whose credits are reserved, all of them or none, and takes the free slots of their
 * channels. Afterwards the operation can no longer be withdrawn; a withdrawn operation never begins.
 * @throws CodedError when nothing is posted, now or later, and the credits are released; without `nothing_done` where the
 * operation was begun before and its rows cannot be read
 */
export const begin = async (
  dependencies: Dependencies,
  operation: SharedOrder,
  messages: readonly PreparedMessage[],
  remainingCredits: number,
): Promise<Beginnings> => {
  const [first, ...others] = messages;
  if (!first) throw new InvariantError('a request has no message');
  const all: Messages = [first, ...others];
  try {
    const begun = await tryToBegin(dependencies, operation, all, remainingCredits);
    if (begun !== 'refused') return { messages: begun };
    const rows = await rowsBegunBefore(dependencies, operation);
    const [row, ...rest] = rows;
    if (row) return { repeated: [row, ...rest] };
    throw new CodedError('service_unavailable', {
      message: 'The request could not be accepted in time. Nothing was posted.',
      retry_after: 1,
      nothing_done: true,
    });
  } catch (err) {
    const isLost = err instanceof LostBeginning;
    const error = unposted(isLost ? err.cause : err);
    await giveUp(dependencies, operation, all, error, isLost);
    throw error;
  }
};

/** Who asked for a message, as its revisions say: a person by the id that members have, where the service knows it. */
const askerOf = ({
  actorId,
  context: { principal },
}: Pick<PreparedMessage, 'actorId' | 'context'>): string =>
  principal?.actor.type === 'session' && principal.actor.id === actorId ? authorOf(principal.actor) : actorId;

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
    test: message.test !== undefined && !message.revises,
    thread_ts: message.threadTs,
    workspace_id: message.access.workspaceId,
    credit_log_id: message.creditLogId,
    remaining_credits: remainingCredits,
    warnings: rendered.warnings,
    fields_truncated: rendered.fields_truncated,
    request_id: context.requestId,
    actor_id: askerOf(message),
    key_digest: context.keyDigest ?? null,
    fence: message.fence,
    revises: message.revises?.id ?? null,
    change: message.revises?.change ?? null,
    revision: message.revision,
    content_digest: message.contentDigest,
    visible_to: message.visibleTo ?? null,
    message_key: message.keyed?.key ?? null,
    deadline: message.deadline,
  };
};

/** Holds the lease of a deferred send until the transaction ends. */
export const holdTry = (
  tx: Transaction,
  { tenant, context, fence }: Pick<PreparedMessage, 'tenant' | 'context' | 'fence'>,
): Promise<void> => holdLease(tenant, tx, { operation_id: context.operationId, tries: fence });

/** Tells the queue of a batch what its digest leaves out, in the transaction that accepts it. */
export const reportLeftOutOf = async (
  { outbox }: Pick<Dependencies, 'outbox'>,
  tx: Transaction,
  { tenant, context: { operationId }, origin, originId, rendered: { left_out: leftOut } }: PreparedMessage,
): Promise<void> => {
  if (origin !== 'batch' || originId === null) return;
  await reportLeftOut(outbox, tx, tenant, { operationId, originId, leftOut });
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
  const { tenant, context } = message;
  const { operationId } = context;
  const isNew = await database.transaction(async (tx) => {
    await holdTry(tx, message);
    const isInserted = await insertMessage(tenant, tx, rowOf(message, remainingCredits));
    if (isInserted) await reportLeftOutOf({ outbox }, tx, message);
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

/**
 * Records in the audit log that an agent asks for a message, before it is accepted: what an agent has posted is never
 * without its line. Messages of other callers are in the message log alone.
 */
export const recordAgentSend = async (
  { database, outbox, clock }: Pick<Dependencies, 'database' | 'outbox' | 'clock'>,
  { id, context, compilation, rendered, test }: PreparedMessage,
): Promise<void> => {
  const agent = agentOf(context.client?.user_agent ?? null);
  if (agent === null) return;
  await database.transaction((tx) =>
    audit(tx, outbox, context, {
      action: 'message.requested',
      subject: { kind: 'message', id },
      changes: {
        template_id: compilation.template_id,
        version_id: rendered.version_id,
        test: test !== undefined,
        source: 'mcp',
        agent: agent.name,
      },
      at: clock.now(),
    }),
  );
};
