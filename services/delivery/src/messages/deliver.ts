import { setTimeout as pause } from 'node:timers/promises';
import type { CodedError } from '@stanza/contracts';
import { findInHistory } from '../chat/history.ts';
import { leastPostMs } from '../deadline.ts';
import type { Dependencies } from '../dependencies.ts';
import type { PreparedMessage } from './message.ts';
import { awaitTurn, noTimeLeft, post } from './post.ts';
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
    deadline.remaining >= leastPostMs
      ? await dependencies.writes.beginPosting({ tenant, id, fence, channel })
      : undefined;
  if (postingAt) return postingAt;
  throw noTimeLeft();
};

/** All steps before the first byte of the post. */
const makeReady = async (
  dependencies: Dependencies,
  message: PreparedMessage,
): Promise<{ channel: string; postingAt: Date }> => {
  if (message.posting) return message.posting;
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
  const { access, deadline, log, journal, threadTs } = message;
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
    log.warn({ err, message_id: message.id }, 'a message with a lost answer could not be looked up');
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
