import { setTimeout as pause } from 'node:timers/promises';
import { CodedError, limits } from '@stanza/contracts';
import { z } from 'zod';
import { backoffMs } from '../chat/backoff.ts';
import type { ChatOutcome } from '../chat/chat-outcome.ts';
import { callFailure, isPlatformFault, slowedDown } from '../chat/errors.ts';
import { type ChannelName, holdChannel } from '../chat/store/channel-slots.ts';
import { type Deadline, leastPostMs } from '../deadline.ts';
import type { Dependencies } from '../dependencies.ts';
import { payloadIn } from '../interactions/message-actions.ts';
import type { PreparedMessage } from './message.ts';
import type { SharedWrites } from './shared-writes.ts';
import { unposted, type Verdict } from './verdict.ts';

/** Milliseconds that every wait before a post leaves for it. */
const postRoomMs = 2_000;

/** Refuses a post that begins too late for its outcome to be written by the deadline. */
export const noTimeLeft = (): CodedError =>
  new CodedError('service_unavailable', {
    message: 'There was no time left to post the message. Nothing was posted.',
    retry_after: 1,
  });

/**
 * Waits for the message's slot in its channel.
 * @throws CodedError `rate_limited` at once when the slot comes too late; none is taken
 */
export const awaitTurn = async (
  { claimSlot }: Pick<SharedWrites, 'claimSlot'>,
  channel: ChannelName,
  deadline: Deadline,
): Promise<void> => {
  const { granted, waitMs } = await claimSlot({ ...channel, deadline: deadline.before(postRoomMs) });
  if (!granted) throw slowedDown(waitMs / 1_000);
  if (waitMs > 0) await pause(waitMs);
};

const method = 'chat.postMessage';
/** Milliseconds reserved for looking the message up when its answer is lost. */
const lookUpRoomMs = 1_000;
/** Type of the metadata of every message. */
const eventType = 'stanza_message';

const posted = z.object({ channel: z.string().min(1), ts: z.string().min(1) });

const argumentsFor = (message: PreparedMessage, channel: string): Record<string, unknown> => {
  const { blocks, text, metadata, user_name, icon_emoji } = message.rendered;
  return {
    channel,
    blocks,
    text,
    metadata: { event_type: eventType, event_payload: { ...payloadIn(metadata), key: message.id } },
    ...(message.threadTs !== null && { thread_ts: message.threadTs }),
    ...(user_name !== null && { username: user_name }),
    ...(icon_emoji !== null && { icon_emoji }),
  };
};

/** The verdict on a post that may have been done. */
const verdictOn = (outcome: Extract<ChatOutcome, { kind: 'ok' | 'refused' | 'ambiguous' }>): Verdict => {
  switch (outcome.kind) {
    case 'ok': {
      const parsed = posted.safeParse(outcome.data);
      if (!parsed.success) return { status: 'unknown' };
      return { status: 'sent', channel: parsed.data.channel, messageTs: parsed.data.ts };
    }
    case 'refused':
      if (isPlatformFault(outcome.error)) return { status: 'unknown' };
      return { status: 'failed', error: callFailure(method, outcome) };
    case 'ambiguous':
      return { status: 'unknown' };
  }
};

const callOnce = async (
  dependencies: Dependencies,
  message: PreparedMessage,
  channel: string,
): Promise<ChatOutcome> => {
  const { outcome, attempt } = await dependencies.chat.call({
    method,
    args: argumentsFor(message, channel),
    token: message.access.token,
    workspaceId: message.access.workspaceId,
    messageId: message.id,
    timeoutMs: Math.min(limits.chatPostMs, message.deadline.before(lookUpRoomMs).remaining),
    log: message.log,
  });
  message.journal.push(attempt);
  return outcome;
};

/** Waits as long as the last outcome requires, which posted nothing; throws when the deadline leaves no room. */
const awaitNextTry = async (
  dependencies: Dependencies,
  message: PreparedMessage,
  channel: string,
  outcome: Extract<ChatOutcome, { kind: 'not_sent' | 'rate_limited' }>,
  tries: number,
): Promise<void> => {
  const room = message.deadline.before(postRoomMs).remaining;
  if (outcome.kind === 'not_sent') {
    const delay = backoffMs(tries, Math.random());
    if (delay > room) throw callFailure(method, outcome);
    return pause(delay);
  }
  const place = { workspace_id: message.access.workspaceId, channel };
  await holdChannel(dependencies.database, place, outcome.retryAfter);
  if (outcome.retryAfter * 1_000 > room) throw callFailure(method, outcome);
  await awaitTurn(dependencies.writes, place, message.deadline);
};

const postUntilSettled = async (
  dependencies: Dependencies,
  message: PreparedMessage,
  channel: string,
): Promise<Verdict> => {
  for (let tries = 1; ; tries++) {
    // Whatever was waited for took its time, the statement that began the post included.
    if (message.deadline.remaining < leastPostMs) throw noTimeLeft();
    const outcome = await callOnce(dependencies, message, channel);
    if (outcome.kind !== 'not_sent' && outcome.kind !== 'rate_limited') return verdictOn(outcome);
    await awaitNextTry(dependencies, message, channel, outcome, tries);
  }
};

/**
 * Posts a message in the state `posting`. A repost is allowed only when the last try certainly posted nothing, and only
 * before the deadline. Never rejects: a coded error means that nothing was posted (open breaker, unavailable database,
 * deadline), any other means an unknown outcome.
 */
export const post = async (
  dependencies: Dependencies,
  message: PreparedMessage,
  channel: string,
): Promise<Verdict> => {
  try {
    return await postUntilSettled(dependencies, message, channel);
  } catch (err) {
    if (err instanceof CodedError) return { status: 'failed', error: unposted(err) };
    message.log.error({ err, message_id: message.id }, 'a post met an unexpected error');
    return { status: 'unknown' };
  }
};
