import { CodedError } from '@stanza/contracts';
import {
  type CallContext,
  LostLease,
  newContext,
  type Tenant,
  type Transaction,
  toCodedError,
  traceIdOf,
} from '@stanza/runtime';
import { namedDestinationOf, recipientOf } from '../chat/recipients.ts';
import { Deadline } from '../deadline.ts';
import type { Dependencies } from '../dependencies.ts';
import { isTransient, isUnexpected, retryAfterMs } from '../transient.ts';
import { acceptKeyed } from './accept-keyed.ts';
import { maxAttempts } from './attempts.ts';
import { rowOf } from './begin.ts';
import { needsWorkspace } from './begin-change.ts';
import { standingOf } from './begin-keyed.ts';
import { deliver, needsSlot } from './deliver.ts';
import { deliverChange } from './deliver-change.ts';
import { isGoneThere } from './finish-keyed.ts';
import type { Addressed, MessageOrder, PreparedMessage, Revised } from './message.ts';
import type { DeferredSendRow, MessageRow } from './message-tables.ts';
import { prepare } from './prepare.ts';
import { reserve } from './reserve.ts';
import { report, settle } from './settle.ts';
import { tenantOf } from './store/abandoned-messages.ts';
import { type ClaimedSend, holdLease, postponeDeferred } from './store/deferred-sends.ts';
import { loseKey } from './store/message-keys.ts';
import { findMessage } from './store/message-log.ts';
import { acceptAgain, findMessageOf, renewMessage } from './store/messages.ts';
import { endMessages } from './store/postings.ts';
import { stepBackChange } from './store/revisions.ts';
import { conclude, untilWritten } from './verdict.ts';

/** Timeout of a try, milliseconds; longer than for a request, since a channel may have a queue. */
export const tryMs = 20_000;
/** Tries after which two unexpected errors in a row end a message; an outage before takes as many and more. */
const maxUnexpected = 10;
/** Milliseconds until a message whose post is in flight elsewhere is checked again. */
const elsewhereMs = 5_000;
/**
 * Milliseconds beyond its deadline for writing that nothing was posted; `end-abandoned-messages` waits five seconds.
 */
const writableMs = 4_000;

/** The answer of an origin that has passed its message on to a destination, and ended it here. */
export const passedOn = 'passed on';

/** Asks the origin of a message for its content; undefined when the origin no longer needs it. */
export type PlaceOrder = (
  row: ClaimedSend,
  facts: Pick<MessageOrder, 'tenant' | 'context' | 'deadline' | 'log'>,
) => Promise<MessageOrder | typeof passedOn | undefined>;

/** The tries are over in which an unexpected error may be transient, and the try before met one as well. */
const isSpent = ({ tries, error: before }: ClaimedSend): boolean =>
  tries >= maxUnexpected && before !== null && isUnexpected({ code: before });

/** Transient errors postpone the message; any other ends it, and so does a transient one after its time is over. */
const isPostponed = (row: ClaimedSend, error: CodedError): boolean =>
  !row.is_over &&
  (isTransient(error) || error.facts.nothing_done === true || (isUnexpected(error) && !isSpent(row)));

const contextOf = (row: DeferredSendRow): CallContext => ({
  ...newContext({
    requestId: `${row.origin}-${row.origin_id}`,
    deadlineMs: tryMs,
    ...(row.traceparent !== null && { traceparent: row.traceparent }),
  }),
  operationId: row.operation_id,
});

/** Postpones a message; one that was accepted in this try, and not posted, becomes accepted again. */
const putOff = async (
  dependencies: Dependencies,
  row: ClaimedSend,
  error: CodedError,
  message?: PreparedMessage,
): Promise<void> => {
  const delay = retryAfterMs(error, row.tries);
  await dependencies.database.transaction(async (tx) => {
    // The lease first: while this transaction holds it, no other try begins.
    await postponeDeferred(tenantOf(row), tx, row, delay, error.code);
    if (message?.revises) {
      await stepBackChange(message.tenant, tx, message);
      // The next try posts another: it is delivered whatever became of what was shown before.
      if (isGoneThere(message, error)) await loseKey(message.tenant, tx, message.revises.id, message.keyed);
    } else if (message) await acceptAgain(message.tenant, tx, message, message.journal);
  });
};

/**
 * Ends the accepted message of an operation, whichever try accepted it, and releases its credit.
 * @throws LostLease when its post has begun: the outcome of that post is its outcome
 */
const endAccepted = async (
  dependencies: Dependencies,
  tx: Transaction,
  row: ClaimedSend,
  error: CodedError,
): Promise<MessageRow | undefined> => {
  const tenant = tenantOf(row);
  const accepted = await findMessageOf(tenant, tx, row.operation_id, 0);
  if (!accepted) return undefined;
  const { id, revises, item, credit_log_id: creditLogId, attempts } = accepted;
  const mine = { id, fence: row.tries };
  if (!(await renewMessage(tenant, tx, mine, 0))) throw new LostLease();
  const ending = { status: 'failed', error: error.toBody() } as const;
  await endMessages(tx, [{ ...mine, tenant, ending, attempts }], dependencies.countEvents);
  const settled = { item, messageId: revises ?? id, creditLogId, charged: false };
  await settle(dependencies.outbox, tx, tenant, row.operation_id, [settled]);
  return accepted;
};

/** Ends a message that was not posted, accepted or not. */
const fail = (
  dependencies: Dependencies,
  tenant: Tenant,
  row: ClaimedSend,
  error: CodedError,
): Promise<void> =>
  dependencies.database.transaction(async (tx) => {
    const { operation_id, origin, origin_id } = row;
    await holdLease(tenant, tx, row);
    const accepted = await endAccepted(dependencies, tx, row, error);
    const message_id = accepted?.revises ?? accepted?.id;
    const reported = { operation_id, origin, origin_id, message_id, error: error.toBody() };
    await report(dependencies.outbox, tx, tenant, { ...reported, status: 'failed' });
    tx.afterCommit(() => dependencies.count({ status: 'failed', error }));
  });

/**
 * Where an accepted message goes: its key and its thread are those of that conversation, whatever its origin says now.
 */
const addressIn = (row: MessageRow, message: PreparedMessage): Addressed => {
  const { thread_ts: threadTs, visible_to, message_key: key } = row;
  const onExisting = message.keyed?.onExisting ?? 'update';
  return {
    recipient: recipientOf(namedDestinationOf(row)),
    threadTs,
    visibleTo: visible_to ?? undefined,
    keyed: key === null ? undefined : { key, onExisting },
  };
};

/** What the message that a change is made of is, by the row of the change. */
const revisedIn = (row: MessageRow, { access }: PreparedMessage): Revised | undefined => {
  const { revises, workspace_id: workspaceId, thread_ts: threadTs } = row;
  if (revises === null) return undefined;
  const revised = { id: revises, change: 'update' as const, workspaceId, threadTs };
  needsWorkspace(revised, access);
  return revised;
};

/** Continues a message that was accepted before: its row says what this try posts. */
const takeUp = async (
  dependencies: Dependencies,
  prepared: PreparedMessage,
  row: MessageRow,
): Promise<PreparedMessage | undefined> => {
  const { id, credit_log_id: creditLogId, attempts, revision, remaining_credits } = row;
  const revises = revisedIn(row, prepared);
  const message = { ...prepared, ...addressIn(row, prepared), id, creditLogId, revision };
  const content = rowOf(message, remaining_credits);
  const { tenant, fence, deadline } = message;
  const isMine = await renewMessage(
    tenant,
    dependencies.database,
    { id, fence },
    deadline.remaining,
    content,
  );
  if (!isMine) return undefined;
  const revised = revises && message.keyed && (await findMessage(tenant, dependencies.database, revises.id));
  const standing = message.keyed && revised ? standingOf(message.keyed, revised) : undefined;
  return {
    ...message,
    ...(revises && { revises }),
    ...(standing && { standing }),
    journal: attempts.slice(-maxAttempts),
  };
};

/** Reserves and accepts a new message; undefined when another process was faster. */
const begin = async (
  dependencies: Dependencies,
  message: PreparedMessage,
): Promise<PreparedMessage | undefined> =>
  acceptKeyed(dependencies, message, await reserve(dependencies, message));

/**
 * Writes that nothing was posted. Only this write can decide it: a row that stays at `posting` ends as unknown, so it
 * is left to its lease where the write is late.
 */
const putBack = async (
  dependencies: Dependencies,
  row: ClaimedSend,
  message: PreparedMessage,
  error: CodedError,
): Promise<void> => {
  try {
    await untilWritten(message.deadline.after(writableMs), () => putOff(dependencies, row, error, message));
  } catch (err) {
    if (err instanceof LostLease) throw err;
    message.log.error({ err, message_id: message.id, outcome: 'failed' }, 'an outcome could not be written');
  }
};

const finish = async (
  dependencies: Dependencies,
  row: ClaimedSend,
  message: PreparedMessage,
): Promise<void> => {
  const { revises } = message;
  const verdict = await (revises
    ? deliverChange(dependencies, { ...message, revises })
    : deliver(dependencies, message));
  if (
    verdict.status === 'failed' &&
    (isPostponed(row, verdict.error) || isGoneThere(message, verdict.error))
  ) {
    return putBack(dependencies, row, message, verdict.error);
  }
  const concluded = await conclude(dependencies, message, verdict);
  if (revises) dependencies.countChange(revises.change, concluded);
  else dependencies.count(concluded);
};

/**
 * Tries to send a deferred message, continuing after its last try: an accepted message is posted, one whose post had
 * begun is left to `end-abandoned-messages`, and an ended one is not touched.
 * @throws LostLease when another process has claimed the message in the meantime
 */
export const sendDeferred = async (
  dependencies: Dependencies,
  row: ClaimedSend,
  placeOrder: PlaceOrder,
): Promise<void> => {
  const tenant = tenantOf(row);
  const log = dependencies.log.child({
    operation_id: row.operation_id,
    origin: row.origin,
    origin_id: row.origin_id,
    organization_id: row.organization_id,
    trace_id: traceIdOf(row.traceparent ?? undefined),
  });
  const before = await findMessageOf(tenant, dependencies.database, row.operation_id, 0);
  if (before && before.status !== 'accepted') {
    return postponeDeferred(tenant, dependencies.database, row, elsewhereMs, 'service_unavailable');
  }
  const facts = { tenant, context: contextOf(row), deadline: Deadline.in(dependencies.clock, tryMs), log };
  try {
    const order = await placeOrder(row, facts);
    if (order === passedOn) return;
    if (!order) throw new CodedError('not_found', { message: 'The message is no longer needed.' });
    await needsSlot(dependencies, order);
    const prepared = { ...(await prepare(dependencies, order)), fence: row.tries };
    const message = await (before ? takeUp(dependencies, prepared, before) : begin(dependencies, prepared));
    if (message) await finish(dependencies, row, message);
  } catch (err) {
    if (err instanceof LostLease) throw err;
    const error = toCodedError(err);
    if (error.code === 'internal_error') log.error({ err }, 'a deferred message failed unexpectedly');
    if (isPostponed(row, error)) return putOff(dependencies, row, error);
    await fail(dependencies, tenant, row, error);
  }
};
