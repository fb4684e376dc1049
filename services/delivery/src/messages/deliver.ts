import { setTimeout as pause } from 'node:timers/promises';
import { type ChatMethod, CodedError, limits } from '@stanza/contracts';
import { z } from 'zod';
import { callFailure, isPlatformFault, slowedDown } from '../chat/errors.ts';
import { eventType, findInHistory } from '../chat/history.ts';
import { backoffMs } from '../chat/lookup.ts';
import type { ChatOutcome } from '../chat/platform.ts';
import { type ChannelName, holdChannel, waitForSlot } from '../chat/store/channel-slots.ts';
import { openAccess } from '../connections/chat-access.ts';
import { type Deadline, minPostMs } from '../deadline.ts';
import type { Dependencies } from '../dependencies.ts';
import { type MessageOrder, type PreparedMessage, payloadIn } from './message.ts';
import type { SharedWrites } from './shared-writes.ts';
import { unposted, type Verdict } from './verdict.ts';

/** Finds the conversation to post to. */
export const locate = (dependencies: Dependencies, message: PreparedMessage): Promise<string> => {
  const { id: messageId, deadline, log, journal } = message;
  return dependencies.recipients.channelOf(message.access, message.recipient, {
    messageId,
    deadline,
    log,
    journal,
  });
};

/**
 * Refuses a post to a workspace that is no longer connected.
 * @throws CodedError `chat_not_connected`, or `service_unavailable` when another workspace is connected in its place
 */
export const needsConnection = async (
  { connections, keyring }: Pick<Dependencies, 'connections' | 'keyring'>,
  { tenant, access }: Pick<PreparedMessage, 'tenant' | 'access'>,
): Promise<void> => {
  const present = openAccess(tenant, await connections.read(tenant), keyring);
  if (present.workspaceId === access.workspaceId) return;
  throw new CodedError('service_unavailable', {
    message: 'Another workspace was connected in the meantime. Nothing was posted or changed.',
    retry_after: 1,
  });
};

/**
 * Records that the post begins; from here on a crash leaves the outcome unknown.
 * @returns when, by the database's clock
 */
export const announce = async (
  dependencies: Dependencies,
  message: PreparedMessage,
  channel: string,
): Promise<Date> => {
  const { tenant, id, fence, deadline } = message;
  const postingAt =
    deadline.remaining >= minPostMs
      ? await dependencies.writes.beginPosting({ tenant, id, fence, channel })
      : undefined;
  if (postingAt) return postingAt;
  await needsConnection(dependencies, message);
  throw noTimeLeft();
};

/** All steps before the first byte of the post. */
const makeReady = async (
  dependencies: Dependencies,
  message: PreparedMessage,
): Promise<{ channel: string; postingAt: Date }> => {
  if (message.posting) return message.posting;
  if (message.unlocated) throw message.unlocated;
  const channel = await locate(dependencies, message);
  const place = { workspace_id: message.access.workspaceId, channel };
  await awaitTurn(dependencies.writes, place, message.deadline);
  return { channel, postingAt: await announce(dependencies, message, channel) };
};

/** The conversation or the person no longer exists at the platform. */
const isGone = ({ code }: CodedError): boolean =>
  code === 'invalid_destination' || code === 'chat_user_not_found';

/** Milliseconds before each lookup: the platform may still be processing the post. */
const lookUpDelaysMs = [50, 500, 1_500];

/**
 * Looks for a message with a lost answer while its caller still waits. A found one was sent; otherwise the outcome
 * stays unknown. Never rejects.
 */
export const reconcile = async (
  { chat }: Dependencies,
  message: PreparedMessage,
  channel: string,
  postingAt: Date,
): Promise<Verdict> => {
  const { access, deadline, log, journal, threadTs, visibleTo } = message;
  // No history shows what one person sees.
  if (visibleTo !== undefined) return { status: 'unknown' };
  const sought = { messageId: message.id, channel, threadTs, postingAt };
  try {
    for (const delay of lookUpDelaysMs) {
      if (delay >= deadline.remaining) break;
      await pause(delay);
      const finding = await findInHistory(sought, { chat, access, deadline, log, journal });
      if (finding.kind === 'found') return { status: 'sent', channel, messageTs: finding.ts };
      if (finding.kind === 'unreadable') break;
    }
  } catch (err) {
    // Whatever the error, the outcome stays unknown.
    log.warn({ err, message_id: message.id }, 'a message whose reply was lost could not be looked up');
  }
  return { status: 'unknown' };
};

/** Posts an accepted message, at most once, and returns the outcome; its row is still to be written. */
export const deliver = async (dependencies: Dependencies, message: PreparedMessage): Promise<Verdict> => {
  let ready: { channel: string; postingAt: Date };
  try {
    ready = await makeReady(dependencies, message);
  } catch (err) {
    return { status: 'failed', error: unposted(err) };
  }
  const { channel, postingAt } = ready;
  const verdict = await post(dependencies, message, channel);
  if (verdict.status === 'unknown') return reconcile(dependencies, message, channel, postingAt);
  if (verdict.status === 'failed' && isGone(verdict.error)) {
    dependencies.recipients.forget(message.access, message.recipient);
  }
  return verdict;
};

/** Milliseconds that every wait before a post leaves for it. */
const postRoomMs = 2_000;

/** Refuses a post that begins too late for its outcome to be written by the deadline. */
export const noTimeLeft = (): CodedError =>
  new CodedError('service_unavailable', {
    message: 'The deadline passed before the platform was called. Nothing was posted or changed.',
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

/**
 * Refuses a deferred post to a channel that takes none before the deadline, so that it is not compiled in vain. An update
 * of a message with a key needs no slot.
 * @throws CodedError `rate_limited`
 */
export const needsSlot = async (
  { connections, database }: Pick<Dependencies, 'connections' | 'database'>,
  { tenant, recipient, keyed, deadline }: MessageOrder,
): Promise<void> => {
  if (keyed || !('channel_id' in recipient)) return;
  const connection = await connections.find(tenant);
  if (!connection) return;
  const place = { workspace_id: connection.workspace_id, channel: recipient.channel_id };
  const waitMs = await waitForSlot(database, place);
  if (waitMs > deadline.before(postRoomMs).remaining) throw slowedDown(waitMs / 1_000);
};

const methodFor = ({ visibleTo }: PreparedMessage): ChatMethod =>
  visibleTo === undefined ? 'chat.postMessage' : 'chat.postEphemeral';

/** Milliseconds reserved for looking the message up when its answer is lost. */
const lookUpRoomMs = 1_000;

const posted = z.union([
  z.object({ channel: z.string().min(1), ts: z.string().min(1) }),
  // An ephemeral message's answer.
  z.object({ message_ts: z.string().min(1) }).transform(({ message_ts: ts }) => ({ ts, channel: undefined })),
]);

const argumentsFor = (message: PreparedMessage, channel: string): Record<string, unknown> => {
  const { blocks, text, metadata, user_name, icon_emoji } = message.rendered;
  return {
    channel,
    blocks,
    text,
    ...(message.visibleTo === undefined
      ? { metadata: { event_type: eventType, event_payload: { ...payloadIn(metadata), key: message.id } } }
      : { user: message.visibleTo }),
    ...message.options,
    ...(message.threadTs !== null && { thread_ts: message.threadTs }),
    ...(user_name !== null && { username: user_name }),
    ...(icon_emoji !== null && { icon_emoji }),
  };
};

/** The verdict on a post that may have been done. */
const verdictOn = (
  method: ChatMethod,
  channel: string,
  outcome: Extract<ChatOutcome, { kind: 'ok' | 'refused' | 'ambiguous' }>,
): Verdict => {
  switch (outcome.kind) {
    case 'ok': {
      const parsed = posted.safeParse(outcome.data);
      if (!parsed.success) return { status: 'unknown' };
      const { ts: messageTs, channel: named = channel } = parsed.data;
      return { status: 'sent', channel: named, messageTs };
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
    method: methodFor(message),
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
    if (delay > room) throw callFailure(methodFor(message), outcome);
    return pause(delay);
  }
  const place = { workspace_id: message.access.workspaceId, channel };
  await holdChannel(dependencies.database, place, outcome.retryAfter);
  if (outcome.retryAfter * 1_000 > room) throw callFailure(methodFor(message), outcome);
  await awaitTurn(dependencies.writes, place, message.deadline);
};

const postUntilSettled = async (
  dependencies: Dependencies,
  message: PreparedMessage,
  channel: string,
): Promise<Verdict> => {
  for (let tries = 1; ; tries++) {
    // The waits and the statement that began the post have used up a part of the time.
    if (message.deadline.remaining < minPostMs) throw noTimeLeft();
    const outcome = await callOnce(dependencies, message, channel);
    if (outcome.kind !== 'not_sent' && outcome.kind !== 'rate_limited') {
      return verdictOn(methodFor(message), channel, outcome);
    }
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
    message.log.error({ err, message_id: message.id }, 'a post failed unexpectedly');
    return { status: 'unknown' };
  }
};
