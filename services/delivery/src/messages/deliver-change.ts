import { setTimeout as pause } from 'node:timers/promises';
import { type ChatMethod, CodedError } from '@stanza/contracts';
import { callFailure, isFinal } from '../chat/errors.ts';
import { eventType } from '../chat/history.ts';
import { lookUp } from '../chat/lookup.ts';
import type { ChatOutcome } from '../chat/platform.ts';
import { type Shown, shownRevision } from '../chat/shown-revision.ts';
import { minPostMs } from '../deadline.ts';
import type { Dependencies } from '../dependencies.ts';
import { noSuchMessage, notSent } from './begin-change.ts';
import { needsConnection, noTimeLeft } from './deliver.ts';
import { type Place, type PreparedChange, payloadIn, type ShownContent } from './message.ts';
import type { MessageRow } from './message-tables.ts';
import { takeTurn } from './store/revisions.ts';
import { unposted, type Verdict } from './verdict.ts';

/** Milliseconds between two looks for the turn: the first, and the longest. */
const looksMs = { first: 50, longest: 500 } as const;
/** Milliseconds that the wait for the turn leaves for the call. */
const callRoomMs = 2_500;
/** Milliseconds reserved for looking a change up when its answer is lost. */
const lookUpRoomMs = 1_000;
/** Milliseconds before the lookup: the platform may still be processing the call. */
const lookUpDelayMs = 300;
/**
 * Milliseconds for which the platform may still work off a call without an answer. A slow platform keeps a call for long;
 * behind a broken connection, or an error of HTTP, it is done soon or never.
 */
const lateMs = { timeout: 60_000, broken: 10_000 } as const;

const lateAfter = (reason: string): number => (reason === 'timeout' ? lateMs.timeout : lateMs.broken);

const stillBehind = (id: string): CodedError =>
  new CodedError('invalid_state', {
    message: `Another change of message ${id} is running, or the platform may still make one whose answer was lost. Nothing was changed. Try again in a minute; GET /v1/messages/${id} shows its revisions.`,
    details: id,
    nothing_done: true,
  });

/**
 * Why a change whose turn has come cannot begin. The message of a key may be posted again by the next call with the
 * key.
 */
const refusedTurn = (
  { keyed, revises: { id } }: PreparedChange,
  status: MessageRow['status'],
): CodedError => {
  if (status === 'sent') return noTimeLeft();
  const error = notSent({ id, status });
  return keyed ? new CodedError(error.code, { ...error.facts, nothing_done: true }) : error;
};

/** Where the change is to be made; with the revision that is shown where there is nothing to change. */
type Found = Place & { unchanged?: number; hasSlot?: boolean };

/** Waits until the message is sent and all changes before have their outcome. */
const awaitTurn = async (
  dependencies: Pick<Dependencies, 'database' | 'connections' | 'keyring'>,
  change: PreparedChange,
): Promise<Found> => {
  const { tenant, id, revision, fence, contentDigest, revises, deadline } = change;
  const waiting = { tenant, id, revises: revises.id, revision, fence, contentDigest, change: revises.change };
  for (let delay: number = looksMs.first; ; delay = Math.min(delay * 2, looksMs.longest)) {
    const turn = await takeTurn(dependencies.database, waiting, minPostMs);
    if (!turn) throw noSuchMessage();
    const { channel, message_ts: messageTs, status, is_behind: isBehind } = turn;
    if (channel !== null && messageTs !== null) {
      if (turn.posting_at) return { channel, messageTs };
      if (!isBehind && turn.is_same) return { channel, messageTs, unchanged: turn.revision };
    }
    if (!isBehind) {
      await needsConnection(dependencies, change);
      throw refusedTurn(change, status);
    }
    if (deadline.before(callRoomMs).remaining < delay) throw stillBehind(revises.id);
    await pause(delay);
  }
};

const callOf = (
  { revision, revises }: PreparedChange,
  { channel, messageTs: ts }: Place,
  { blocks, text, metadata }: ShownContent,
): { method: ChatMethod; args: Record<string, unknown> } => {
  const { id } = revises;
  if (revises.change === 'delete') return { method: 'chat.delete', args: { channel, ts } };
  const payload = { ...payloadIn(metadata), key: id, revision };
  const args = { channel, ts, blocks, text, metadata: { event_type: eventType, event_payload: payload } };
  return { method: 'chat.update', args };
};

/**
 * Makes the call until it has an outcome: the same content replaces itself, so that a lost answer is asked for again.
 */
const callUntilSettled = async (
  { chat }: Pick<Dependencies, 'chat'>,
  change: PreparedChange,
  { hasSlot: isFirstPaced = false, ...place }: Found,
  content: ShownContent,
): Promise<Verdict> => {
  const { access, revises, deadline, journal, log } = change;
  const sent = { status: 'sent', ...place } as const;
  const { method, args } = callOf(change, place, content);
  const call = {
    method,
    args,
    token: access.token,
    workspaceId: access.workspaceId,
    messageId: revises.id,
    log,
  };
  let lateForMs = 0;
  let mayBeDone = false;
  let hasSlot = isFirstPaced;
  const watched = {
    ...chat,
    call: async (one: Parameters<typeof chat.call>[0]) => {
      const paced = { ...one, hasSlot };
      hasSlot = false;
      const reply = await chat.call(paced);
      const { kind } = reply.outcome;
      if (kind === 'ambiguous') lateForMs = Math.max(lateForMs, lateAfter(reply.outcome.reason));
      mayBeDone ||= kind === 'ambiguous' || (kind === 'refused' && !isFinal(reply.outcome));
      return reply;
    },
  };
  let outcome: ChatOutcome;
  try {
    outcome = await lookUp(watched, call, deadline.before(lookUpRoomMs), journal);
  } catch (err) {
    if (mayBeDone || !(err instanceof CodedError)) throw err;
    return { status: 'failed', error: unposted(err) };
  }
  if (outcome.kind === 'ok') return lateForMs > 0 ? { ...sent, lateForMs } : sent;
  const isGone = outcome.kind === 'refused' && outcome.error === 'message_not_found';
  if (isGone && method === 'chat.delete') return sent;
  // A refusal of a repeat says nothing of the call before it.
  if (isGone || !mayBeDone) return { status: 'failed', error: callFailure(method, outcome) };
  return { status: 'unknown' };
};

/** True when the channel shows what the change was to make of the message. */
export const isShown = (
  shown: Shown,
  { change, revision }: { change: string | null; revision: number },
): boolean =>
  change === 'delete' ? shown.kind === 'gone' : shown.kind === 'revision' && shown.revision === revision;

/** Looks for a change with a lost answer while its caller still waits. Never rejects. */
const reconcile = async ({ chat }: Dependencies, change: PreparedChange, place: Place): Promise<Verdict> => {
  const { access, revises, revision, deadline, log, journal } = change;
  try {
    if (deadline.remaining <= lookUpDelayMs) return { status: 'unknown' };
    await pause(lookUpDelayMs);
    const shown = await shownRevision({ ...revises, ...place }, { chat, access, deadline, log, journal });
    if (isShown(shown, { change: revises.change, revision })) {
      return { status: 'sent', ...place, lateForMs: lateMs.timeout };
    }
  } catch (err) {
    // Whatever the error, the outcome stays unknown.
    log.warn({ err, message_id: revises.id }, 'a message whose reply was lost could not be looked up');
  }
  return { status: 'unknown' };
};

/** Makes a begun change in its turn, and returns the outcome; its row is still to be written. Never rejects. */
export const deliverChange = async (dependencies: Dependencies, change: PreparedChange): Promise<Verdict> => {
  let found: Found;
  try {
    found = change.standing ?? change.begunIn ?? (await awaitTurn(dependencies, change));
  } catch (err) {
    return { status: 'failed', error: unposted(err) };
  }
  const { unchanged, ...place } = found;
  if (unchanged !== undefined) return { status: 'sent', ...place, unchanged };
  let content: ShownContent;
  try {
    content = (await change.contentNow?.()) ?? change.rendered;
  } catch (err) {
    return { status: 'failed', error: unposted(err) };
  }
  try {
    const verdict = await callUntilSettled(dependencies, change, place, content);
    return verdict.status === 'unknown' ? await reconcile(dependencies, change, place) : verdict;
  } catch (err) {
    if (!(err instanceof CodedError)) {
      change.log.error({ err, message_id: change.revises.id }, 'a post failed unexpectedly');
    }
    return reconcile(dependencies, change, place);
  }
};
