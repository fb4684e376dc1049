import { setTimeout as pause } from 'node:timers/promises';
import { findInHistory } from '../chat/history.ts';
import type { Dependencies } from '../dependencies.ts';
import type { PreparedMessage } from './prepare.ts';
import type { Verdict } from './verdict.ts';

/** Milliseconds before each look: the platform may still be at it. */
const delaysMs = [50, 500, 1_500];

/**
 * Looks for a message whose answer was lost, while its caller still waits. Found, it was sent; not found, nobody knows.
 * Never rejects.
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
    for (const delay of delaysMs) {
      if (delay >= deadline.remaining) break;
      await pause(delay);
      const finding = await findInHistory(sought, { chat, access, deadline, log, journal });
      if (finding.kind === 'found') return { status: 'sent', channel, messageTs: finding.ts };
      if (finding.kind === 'unreadable') break;
    }
  } catch (err) {
    // Whatever it was, the post is as unknown as before.
    log.warn({ err, message_id: message.id }, 'a lost message could not be looked up');
  }
  return { status: 'unknown' };
};
