import type { Logger } from '@stanza/runtime';
import { z } from 'zod';
import type { Deadline } from '../deadline.ts';
import type { ChatAccess } from './access.ts';
import type { Attempt, ChatOutcome } from './chat-outcome.ts';
import type { GuardedChat } from './guarded.ts';

/** Milliseconds by which the platform's clock may differ from ours. */
const clockDifferenceMs = 120_000;
/** Milliseconds after its beginning until the platform has dated a post. */
const datedMs = 60_000;
/** Messages of a page, and pages that are read: what a channel gets in the minutes around a post. */
const pageSize = 200;
const mostPages = 5;
/** Milliseconds that one page may take. */
const pageMs = 3_000;

const page = z.object({
  messages: z.array(
    z.looseObject({
      ts: z.string(),
      metadata: z
        .object({ event_payload: z.object({ key: z.unknown() }).optional().catch(undefined) })
        .optional()
        .catch(undefined),
    }),
  ),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});

/** A message that may have been posted, and where it would be. */
export interface Sought {
  /** Its id, which is the key in the posted metadata. */
  messageId: string;
  channel: string;
  threadTs: string | null;
  postingAt: Date;
}

/** What is needed to read a channel. */
export interface HistoryReader {
  chat: Pick<GuardedChat, 'call'>;
  access: Pick<ChatAccess, 'token' | 'workspaceId'>;
  deadline: Deadline;
  log: Logger;
  journal: Attempt[];
}

/** What reading the history brought; `unreadable` when it can't be read, now or ever. */
export type Finding = { kind: 'found'; ts: string } | { kind: 'absent' } | { kind: 'unreadable' };

const secondsOf = (milliseconds: number): string => (milliseconds / 1_000).toFixed(6);

const argumentsFor = (sought: Sought, cursor: string | undefined): Record<string, unknown> => ({
  channel: sought.channel,
  oldest: secondsOf(sought.postingAt.getTime() - clockDifferenceMs),
  // Pages begin with the newest message. On a busy channel, those of later minutes would take up all that are read.
  latest: secondsOf(sought.postingAt.getTime() + datedMs + clockDifferenceMs),
  limit: pageSize,
  include_all_metadata: true,
  ...(sought.threadTs !== null && { ts: sought.threadTs }),
  ...(cursor && { cursor }),
});

/**
 * Looks for a message by its key, once. Replies stand in their thread's history alone. That it is absent proves nothing:
 * the platform may still be at it.
 * @throws CodedError `service_unavailable` when the breaker is open
 */
export const findInHistory = async (sought: Sought, reader: HistoryReader): Promise<Finding> => {
  let cursor: string | undefined;
  for (let pages = 0; pages < mostPages && reader.deadline.remaining > 0; pages++) {
    const outcome = await readPage(sought, reader, cursor);
    const parsed = page.safeParse(outcome.kind === 'ok' ? outcome.data : undefined);
    if (!parsed.success) return { kind: 'unreadable' };
    const { messages, response_metadata } = parsed.data;
    const found = messages.find((it) => it.metadata?.event_payload?.key === sought.messageId);
    if (found) return { kind: 'found', ts: found.ts };
    cursor = response_metadata?.next_cursor;
    if (!cursor) break;
  }
  return { kind: 'absent' };
};

const readPage = async (
  sought: Sought,
  { chat, access, deadline, log, journal }: HistoryReader,
  cursor: string | undefined,
): Promise<ChatOutcome> => {
  const { outcome, attempt } = await chat.call({
    method: sought.threadTs === null ? 'conversations.history' : 'conversations.replies',
    args: argumentsFor(sought, cursor),
    token: access.token,
    workspaceId: access.workspaceId,
    messageId: sought.messageId,
    timeoutMs: Math.min(pageMs, deadline.remaining),
    log,
  });
  journal.push(attempt);
  return outcome;
};
