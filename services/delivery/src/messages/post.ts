import { setTimeout as pause } from 'node:timers/promises';
import { CodedError, limits } from '@stanza/contracts';
import { z } from 'zod';
import { backoffMs } from '../chat/backoff.ts';
import type { ChatOutcome } from '../chat/chat-outcome.ts';
import { callFailure, isPlatformFault, slowedDown } from '../chat/errors.ts';
import { type ChannelName, holdChannel } from '../chat/store/channel-slots.ts';
import type { Deadline } from '../deadline.ts';
import type { Dependencies } from '../dependencies.ts';
import { payloadIn } from '../interactions/message-actions.ts';
import type { PreparedMessage } from './message.ts';
import type { SharedWrites } from './shared-writes.ts';
import { unposted, type Verdict } from './verdict.ts';

/** Milliseconds that a post should have; one that would begin later than that before the end does not begin. */
export const postRoomMs = 2_000;

/**
 * Waits for the message's turn in its channel.
 * @throws CodedError `rate_limited` at once when its turn would come too late; nothing was taken
 */
export const awaitTurn = async (
  { claimSlot }: Pick<SharedWrites, 'claimSlot'>,
  channel: ChannelName,
  deadline: Deadline,
): Promise<void> => {
  const patienceMs = deadline.before(postRoomMs).remaining;
  const { granted, waitMs } = await claimSlot({ ...channel, patienceMs });
  if (!granted) throw slowedDown(waitMs / 1_000);
  if (waitMs > 0) await pause(waitMs);
};

const method = 'chat.postMessage';
/** Milliseconds kept for looking the message up when its answer is lost. */
const lookUpRoomMs = 1_000;
/** Kind of the metadata that every message carries. */
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

/** The verdict on a post of which something may have come. */
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

/** Waits as the last outcome asks for, by which nothing was posted; throws when the deadline leaves no room. */
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
    const outcome = await callOnce(dependencies, message, channel);
    if (outcome.kind !== 'not_sent' && outcome.kind !== 'rate_limited') return verdictOn(outcome);
    await awaitNextTry(dependencies, message, channel, outcome, tries);
  }
};

/**
 * Posts a message whose row says so. It is tried again only when the last try certainly posted nothing, and only while
 * the deadline leaves room. Never rejects: a coded error means that nothing was posted (the breaker is open, the database
 * is away, the time is up), and of any other nobody can say.
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
