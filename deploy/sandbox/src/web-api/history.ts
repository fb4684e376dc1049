import type { Message } from '../world/message.ts';
import { parseTs } from '../world/timestamp.ts';
import { type Arguments, flagArgument, textArgument } from './arguments.ts';
import { messageReply } from './message-reply.ts';
import { type Refusal, refuse, type Success } from './method.ts';

const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 999;
const CURSOR_PREFIX = 'next_ts:';

interface Window {
  /** Lowest accepted `ts`, in microseconds. */
  readonly from: number;
  /** Highest accepted `ts`, in microseconds. */
  readonly to: number;
  readonly limit: number;
}

/** Reads a bound of the window; undefined when it is not a timestamp. */
function bound(args: Arguments, name: string, otherwise: number): number | undefined {
  const given = textArgument(args, name);
  return given === undefined ? otherwise : parseTs(given);
}

/** The highest timestamp of the page that a cursor points to, in microseconds; undefined when the cursor is invalid. */
function cursorStart(args: Arguments): number | undefined {
  const cursor = textArgument(args, 'cursor');
  if (cursor === undefined) return Number.POSITIVE_INFINITY;
  const text = Buffer.from(cursor, 'base64').toString('utf8');
  return text.startsWith(CURSOR_PREFIX) ? parseTs(text.slice(CURSOR_PREFIX.length)) : undefined;
}

/** The page of messages selected by `oldest`, `latest`, `inclusive`, `limit` and `cursor`, or a refusal. */
function readWindow(args: Arguments): Window | Refusal {
  const oldest = bound(args, 'oldest', 0);
  if (oldest === undefined) return refuse('invalid_ts_oldest');
  const latest = bound(args, 'latest', Number.POSITIVE_INFINITY);
  if (latest === undefined) return refuse('invalid_ts_latest');
  const start = cursorStart(args);
  if (start === undefined) return refuse('invalid_cursor');
  const limit = Number(textArgument(args, 'limit') ?? LIMIT_DEFAULT);
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX) return refuse('invalid_limit');
  const beyond = flagArgument(args, 'inclusive') ? 0 : 1;
  return { from: oldest + beyond, to: Math.min(latest - beyond, start), limit };
}

/**
 * Returns one page of messages in their given order, with a cursor when there are more.
 *
 * @param messages candidates, newest first
 */
export function historyPage(messages: Iterable<Message>, args: Arguments): Success | Refusal {
  const window = readWindow(args);
  if ('ok' in window) return window;
  const page: Message[] = [];
  let next: Message | undefined;
  for (const message of messages) {
    if (message.micros > window.to || message.micros < window.from) continue;
    if (page.length === window.limit) {
      next = message;
      break;
    }
    page.push(message);
  }
  const withMetadata = flagArgument(args, 'include_all_metadata');
  const answer = { ok: true as const, messages: page.map((message) => messageReply(message, withMetadata)) };
  if (next === undefined) return { ...answer, has_more: false };
  const cursor = Buffer.from(`${CURSOR_PREFIX}${next.ts}`).toString('base64');
  return { ...answer, has_more: true, response_metadata: { next_cursor: cursor } };
}
