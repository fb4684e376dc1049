import type { Logger } from '@stanza/runtime';
import { z } from 'zod';
import type { Deadline } from '../deadline.ts';
import type { GuardedChat } from './guarded.ts';
import type { Attempt, ChatAccess, ChatOutcome } from './platform.ts';

/** Type of the metadata of every message. */
export const eventType = 'stanza_message';

/** Milliseconds of tolerated clock difference to the platform. */
const clockDifferenceMs = 120_000;
/** Milliseconds from the start of a post to its timestamp by the platform, at most. */
const datedMs = 60_000;
/** Milliseconds that two windows of a history share. */
const overlapMs = 1_000;
/** Messages of a page, and pages read of a window: the volume of a channel in the minutes around a post. */
const pageSize = 200;
const maxPages = 5;
/** Timeout of a page, milliseconds. */
const pageMs = 3_000;

const page = z.object({
  messages: z.array(
    z.looseObject({
      ts: z.string(),
      user: z.string().optional().catch(undefined),
      metadata: z
        .object({
          event_type: z.string().optional().catch(undefined),
          event_payload: z.object({ key: z.unknown() }).optional().catch(undefined),
        })
        .optional()
        .catch(undefined),
    }),
  ),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});

/** A message that may have been posted, and its channel. */
export interface Sought {
  /** Its id, the key in the posted metadata. */
  messageId: string;
  channel: string;
  threadTs: string | null;
  postingAt: Date;
  /**
   * True to read on until now, after the minutes around the post: a platform that was slow dates a message by the time at
   * which it worked the post off.
   */
  untilNow?: boolean;
}

/** A part of a channel's history, by the platform's clock. */
interface Window {
  oldest: number;
  /** Absent up to now. */
  latest?: number;
}

/** The access for reading a channel. */
export interface HistoryReader {
  chat: Pick<GuardedChat, 'call'>;
  access: Pick<ChatAccess, 'token' | 'workspaceId'>;
  deadline: Deadline;
  log: Logger;
  journal: Attempt[];
}

/** The result of a history lookup. */
export type Finding =
  | { kind: 'found'; ts: string }
  /** Whole when all messages of the time searched were read. */
  | { kind: 'absent'; isWhole: boolean }
  /** The channel cannot be read, now or ever. */
  | { kind: 'unreadable' };

const secondsOf = (milliseconds: number): string => (milliseconds / 1_000).toFixed(6);

/**
 * The minutes around the post come first: pages begin with the newest message, and later messages of a busy channel would
 * fill all of them. Both ends are exclusive, so the second window begins within the first.
 */
const windowsOf = ({ postingAt, untilNow = false }: Sought): Window[] => {
  const latest = postingAt.getTime() + datedMs + clockDifferenceMs;
  const around = { oldest: postingAt.getTime() - clockDifferenceMs, latest };
  return untilNow ? [around, { oldest: latest - overlapMs }] : [around];
};

const argumentsFor = (
  sought: Sought,
  { oldest, latest }: Window,
  cursor: string | undefined,
): Record<string, unknown> => ({
  channel: sought.channel,
  oldest: secondsOf(oldest),
  ...(latest !== undefined && { latest: secondsOf(latest) }),
  limit: pageSize,
  include_all_metadata: true,
  ...(sought.threadTs !== null && { ts: sought.threadTs }),
  ...(cursor && { cursor }),
});

/**
 * Looks for a message by its key, once. Replies appear in their thread's history only. Absence proves nothing: the
 * platform may still be processing the post.
 * @throws CodedError `service_unavailable` when the breaker is open
 */
export const findInHistory = async (sought: Sought, reader: HistoryReader): Promise<Finding> => {
  let isWhole = true;
  for (const window of windowsOf(sought)) {
    const finding = await findInWindow(sought, window, reader);
    if (finding.kind !== 'absent') return finding;
    isWhole &&= finding.isWhole;
  }
  return { kind: 'absent', isWhole };
};

const findInWindow = async (sought: Sought, window: Window, reader: HistoryReader): Promise<Finding> => {
  let cursor: string | undefined;
  for (let pages = 0; pages < maxPages && reader.deadline.remaining > 0; pages++) {
    const outcome = await readPage(sought, window, reader, cursor);
    const parsed = page.safeParse(outcome.kind === 'ok' ? outcome.data : undefined);
    if (!parsed.success) return { kind: 'unreadable' };
    const { messages, response_metadata } = parsed.data;
    const found = messages.find((it) => it.metadata?.event_payload?.key === sought.messageId);
    if (found) return { kind: 'found', ts: found.ts };
    cursor = response_metadata?.next_cursor;
    if (!cursor) return { kind: 'absent', isWhole: true };
  }
  return { kind: 'absent', isWhole: false };
};

const readPage = async (
  sought: Sought,
  window: Window,
  { chat, access, deadline, log, journal }: HistoryReader,
  cursor: string | undefined,
): Promise<ChatOutcome> => {
  const { outcome, attempt } = await chat.call({
    method: sought.threadTs === null ? 'conversations.history' : 'conversations.replies',
    args: argumentsFor(sought, window, cursor),
    token: access.token,
    workspaceId: access.workspaceId,
    messageId: sought.messageId,
    timeoutMs: Math.min(pageMs, deadline.remaining),
    log,
  });
  journal.push(attempt);
  return outcome;
};

/** A conversation, or one thread of it, from a moment on. */
export interface PostedSince {
  channel: string;
  threadTs: string | null;
  since: Date;
  /** The bot that posts for Stanza there; other bots may write the same metadata. */
  botUserId: string;
  cursor?: string | undefined;
}

/** A message of Stanza in a history. */
export interface Post {
  /** The key in its metadata. */
  messageId: string;
  ts: string;
}

/** A page of a history. */
export type PostPage =
  | { kind: 'read'; posts: Post[]; next: string | undefined }
  | { kind: 'later'; seconds: number }
  | { kind: 'unreadable'; reason: string };

const messageKey = z.uuid();

/**
 * Reads a page of the posts of Stanza, newest first.
 * @throws CodedError `service_unavailable` when the breaker is open
 */
export const readPosts = async (
  { channel, threadTs, since, botUserId, cursor }: PostedSince,
  { chat, access, deadline, log }: Omit<HistoryReader, 'journal'>,
): Promise<PostPage> => {
  const { outcome } = await chat.call({
    method: threadTs === null ? 'conversations.history' : 'conversations.replies',
    args: {
      channel,
      oldest: secondsOf(since.getTime()),
      limit: pageSize,
      include_all_metadata: true,
      ...(threadTs !== null && { ts: threadTs }),
      ...(cursor !== undefined && { cursor }),
    },
    token: access.token,
    workspaceId: access.workspaceId,
    timeoutMs: Math.min(pageMs, deadline.remaining),
    log,
    yields: true,
  });
  if (outcome.kind === 'rate_limited') return { kind: 'later', seconds: outcome.retryAfter };
  if (outcome.kind === 'refused') return { kind: 'unreadable', reason: outcome.error };
  if (outcome.kind !== 'ok') return { kind: 'later', seconds: 1 };
  const parsed = page.safeParse(outcome.data);
  if (!parsed.success) return { kind: 'unreadable', reason: 'malformed_answer' };
  const { messages, response_metadata } = parsed.data;
  const posts = messages.flatMap(({ ts, user, metadata }) => {
    const key = messageKey.safeParse(metadata?.event_payload?.key);
    const isOurs = metadata?.event_type === eventType && (user ?? botUserId) === botUserId;
    // A thread is answered with its first message, however old it is.
    return isOurs && key.success && Number(ts) * 1_000 >= since.getTime()
      ? [{ messageId: key.data, ts }]
      : [];
  });
  return { kind: 'read', posts, next: response_metadata?.next_cursor || undefined };
};
