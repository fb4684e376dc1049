import { CodedError, type ErrorCode } from '@stanza/contracts';
import { type CallContext, newContext, type Tenant, toCodedError, traceIdOf } from '@stanza/runtime';
import { backoffMs } from '../domain/backoff.ts';
import { Deadline } from '../domain/deadline.ts';
import type { DeferredSendRow, MessageRow } from '../domain/rows.ts';
import type { Parts } from '../parts.ts';
import { tenantOf } from '../store/abandoned-messages.ts';
import { postponeDeferred } from '../store/deferred-sends.ts';
import { acceptAgain, findMessageOf, renewMessage } from '../store/messages.ts';
import { endMessages } from '../store/postings.ts';
import { accept } from './accept.ts';
import { conclude } from './conclude.ts';
import { deliver } from './deliver.ts';
import type { MessageOrder } from './order.ts';
import { type PreparedMessage, prepare } from './prepare.ts';
import { report } from './report.ts';
import { reserve } from './reserve.ts';
import { settle } from './settle.ts';

/** Milliseconds for one try; longer than for a request, since a channel may have a queue of its own. */
export const tryMs = 20_000;
/** Milliseconds until a message that could not be sent is tried again, at most; a platform may ask for more. */
const longestDelayMs = 10_000;
/** Tries after which a surprise inside is no longer taken for a passing one. */
const surprises = 10;
/** Milliseconds after which a message whose post is under way elsewhere is looked at again. */
const elsewhereMs = 5_000;

/** Answered by an origin that has passed on what was to be sent, and ended it here: a destination gets it, not a chat. */
export const passedOn = 'passed on';

/** Asks the origin of a message for what it needs; undefined when the origin wants it no more. */
export type PlaceOrder = (
  row: DeferredSendRow,
  facts: Pick<MessageOrder, 'tenant' | 'context' | 'deadline' | 'log'>,
) => Promise<MessageOrder | typeof passedOn | undefined>;

const passing: readonly ErrorCode[] = ['service_unavailable', 'rate_limited'];
const surprising: readonly ErrorCode[] = ['internal_error', 'credit_deduction_failed'];

/** What goes by itself delays a message; anything else ends it, and so does waiting for too long. */
const delays = (row: DeferredSendRow, { code }: CodedError, now: Date): boolean => {
  if (now >= row.give_up_at) return false;
  return passing.includes(code) || (surprising.includes(code) && row.tries < surprises);
};

const contextOf = (row: DeferredSendRow): CallContext => ({
  ...newContext({
    requestId: `${row.origin}-${row.origin_id}`,
    deadlineMs: tryMs,
    ...(row.traceparent !== null && { traceparent: row.traceparent }),
  }),
  operationId: row.operation_id,
});

const putOff = async (parts: Parts, row: DeferredSendRow, error: CodedError): Promise<void> => {
  const asked = (error.facts.retry_after ?? 0) * 1_000;
  const delay = Math.max(asked, Math.min(longestDelayMs, backoffMs(row.tries, Math.random())));
  const dueAt = new Date(parts.clock.now().getTime() + delay);
  await postponeDeferred(tenantOf(row), parts.database, row.operation_id, dueAt, error.code);
};

/** Ends a message for which nothing was posted, whether it was accepted before or never came to be. */
const fail = (
  parts: Parts,
  tenant: Tenant,
  row: DeferredSendRow,
  accepted: MessageRow | undefined,
  error: CodedError,
): Promise<void> =>
  parts.database.transaction(async (tx) => {
    const { operation_id, origin, origin_id } = row;
    if (accepted) {
      const { id, item, credit_log_id: creditLogId, attempts } = accepted;
      const ending = { status: 'failed', error: error.toBody() } as const;
      const ended = await endMessages(tx, [{ tenant, id, ending, attempts }]);
      if (!ended.has(id)) return;
      const settled = { item, messageId: id, creditLogId, charged: false };
      await settle(parts.outbox, tx, tenant, operation_id, [settled]);
    }
    const reported = { operation_id, origin, origin_id, message_id: accepted?.id, error: error.toBody() };
    await report(parts.outbox, tx, tenant, { ...reported, status: 'failed' }, parts.clock.now());
    tx.afterCommit(() => parts.count({ status: 'failed', error }));
  });

/** Takes an accepted message up again where a process that died has left it. */
const takeUp = async (
  parts: Parts,
  message: PreparedMessage,
  { id, credit_log_id: creditLogId, attempts }: MessageRow,
): Promise<PreparedMessage | undefined> => {
  const isMine = await renewMessage(message.tenant, parts.database, id, message.deadline.timeOfDay);
  return isMine ? { ...message, id, creditLogId, journal: [...attempts] } : undefined;
};

/** Reserves and accepts a message that is new; undefined when another process was faster. */
const begin = async (parts: Parts, message: PreparedMessage): Promise<PreparedMessage | undefined> => {
  const repeated = await accept(parts, message, await reserve(parts, message));
  return repeated ? undefined : message;
};

const finish = async (parts: Parts, row: DeferredSendRow, message: PreparedMessage): Promise<void> => {
  const verdict = await deliver(parts, message);
  if (verdict.status === 'failed' && delays(row, verdict.error, parts.clock.now())) {
    await acceptAgain(message.tenant, parts.database, message.id, message.journal);
    return putOff(parts, row, verdict.error);
  }
  parts.count(await conclude(parts, message, verdict));
};

/**
 * Tries to send a message for which nobody waits. It goes on where the last try has ended: an accepted message is
 * posted, one whose post had begun is left to the sweep, and one that is over is not touched.
 */
export const sendDeferred = async (
  parts: Parts,
  row: DeferredSendRow,
  placeOrder: PlaceOrder,
): Promise<void> => {
  const tenant = tenantOf(row);
  const log = parts.log.child({
    operation_id: row.operation_id,
    origin: row.origin,
    origin_id: row.origin_id,
    organization_id: row.organization_id,
    trace_id: traceIdOf(row.traceparent ?? undefined),
  });
  const before = await findMessageOf(tenant, parts.database, row.operation_id, 0);
  if (before && before.status !== 'accepted') {
    const dueAt = new Date(parts.clock.now().getTime() + elsewhereMs);
    return postponeDeferred(tenant, parts.database, row.operation_id, dueAt, 'service_unavailable');
  }
  const facts = { tenant, context: contextOf(row), deadline: Deadline.in(parts.clock, tryMs), log };
  try {
    const order = await placeOrder(row, facts);
    if (order === passedOn) return;
    if (!order) throw new CodedError('not_found', { message: 'It is wanted no more.' });
    const prepared = await prepare(parts, order);
    const message = await (before ? takeUp(parts, prepared, before) : begin(parts, prepared));
    if (message) await finish(parts, row, message);
  } catch (err) {
    const error = toCodedError(err);
    if (error.code === 'internal_error') log.error({ err }, 'a deferred message met a surprise');
    if (delays(row, error, parts.clock.now())) return putOff(parts, row, error);
    await fail(parts, tenant, row, before, error);
  }
};
