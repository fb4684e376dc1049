import {
  type Logger as ClientLogger,
  LogLevel,
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
  WebClient,
} from '@slack/web-api';
import type { ChatMethod, messageAttempt } from '@stanza/contracts';
import type { Clock } from '@stanza/runtime';
import type { z } from 'zod';
import { type CallProgress, ChatTransport, defaultRetryAfter } from './transport.ts';

/** The token of a workspace, and its owner. */
export interface ChatAccess {
  connectionId: string;
  workspaceId: string;
  token: string;
}

/** A call to the platform. */
export interface ChatCall {
  method: ChatMethod;
  args: Record<string, unknown>;
  /** The bot's token; undefined for methods without one. */
  token?: string;
  /** Timeout for the whole answer, milliseconds. */
  timeoutMs: number;
}

/** Calls methods of the chat platform, each once, and returns the outcome; never rejects for a failed call. */
export interface ChatPlatform {
  call(call: ChatCall): Promise<ChatReply>;
  close(): Promise<void>;
}

/** The client's own log lines contain bodies and the platform's texts. */
const silent: ClientLogger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  getLevel: () => LogLevel.ERROR,
  setLevel: () => undefined,
  setName: () => undefined,
};

/** Lines of a refusal that are kept, and the length of each. */
const notesKept = 20;
const noteLength = 300;

/**
 * Methods with blocks, which the platform accepts as JSON too. The client supports forms only: it would serialize the
 * blocks, escape them, and process them once more for a log line.
 */
const inJson: ReadonlySet<ChatMethod> = new Set([
  'chat.postMessage',
  'chat.postEphemeral',
  'chat.update',
  'views.open',
]);

/** Limits that the platform may tell in an answer of status 200 too; as with a 429, nothing happened. */
const limits: ReadonlySet<string> = new Set(['ratelimited', 'rate_limited', 'message_limit_exceeded']);

const errorName = /^[a-z][a-z0-9_]{0,63}$/;

const outcomeOf = (error: unknown, progress: CallProgress): ChatOutcome => {
  if (error instanceof WebAPIPlatformError) {
    const { error: name, response_metadata } = error.data;
    if (limits.has(name)) return { kind: 'rate_limited', retryAfter: defaultRetryAfter };
    const notes = (response_metadata?.messages ?? []).slice(0, notesKept);
    return {
      kind: 'refused',
      error: errorName.test(name) ? name : 'unrecognized_error',
      notes: notes.map((note) => String(note).slice(0, noteLength)),
    };
  }
  if (error instanceof WebAPIRateLimitedError) return { kind: 'rate_limited', retryAfter: error.retryAfter };
  if (error instanceof WebAPIHTTPError) return { kind: 'ambiguous', reason: `http_${error.statusCode}` };
  if (error instanceof WebAPIRequestError) {
    const reason = progress.failure ?? 'unforeseen';
    return progress.bytesMayHaveLeft ? { kind: 'ambiguous', reason } : { kind: 'not_sent', reason };
  }
  throw error;
};

/**
 * The platform's own client, without every feature that would repeat a post or delay other callers: retries, waiting
 * for rate limits, a queue, timeouts. It holds no token; the transport adds that of the call.
 */
const createClient = (apiUrl: string, transport: ChatTransport): WebClient =>
  new WebClient(undefined, {
    slackApiUrl: apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
    maxRequestConcurrency: Number.POSITIVE_INFINITY,
    logger: silent,
    fetch: transport.fetch,
  });

/** Makes the platform at an address. */
export const createChatPlatform = (options: { apiUrl: string; clock: Clock }): ChatPlatform => {
  const transport = new ChatTransport(options.apiUrl);
  const client = createClient(options.apiUrl, transport);
  const callOnce = async (call: ChatCall, progress: CallProgress): Promise<ChatOutcome> => {
    const { token, timeoutMs, method, args } = call;
    const [json, form] = inJson.has(method) ? [args, {}] : [undefined, args];
    const opening = { progress, token, timeoutMs, json };
    try {
      const data = await transport.during(opening, () => client.apiCall(method, form));
      return { kind: 'ok', data: { ...data } };
    } catch (err) {
      return outcomeOf(err, progress);
    }
  };
  return {
    call: async (call) => {
      const startedAt = options.clock.now();
      const started = options.clock.monotonic();
      const progress: CallProgress = { bytesMayHaveLeft: false };
      const outcome = await callOnce(call, progress);
      return {
        outcome,
        attempt: {
          method: call.method,
          outcome: outcomeName(outcome),
          ...(progress.httpStatus !== undefined && { http_status: progress.httpStatus }),
          latency_ms: Math.round(options.clock.monotonic() - started),
          started_at: startedAt.toISOString(),
        },
      };
    },
    close: () => transport.close(),
  };
};

/** The outcome of a call to the chat platform. */
export type ChatOutcome =
  /** Succeeded; the platform's answer. */
  | { kind: 'ok'; data: Readonly<Record<string, unknown>> }
  /** Failed before a byte was written: nothing happened. */
  | { kind: 'not_sent'; reason: string }
  /** Over a limit: nothing happened, and calls are refused for the given seconds. */
  | { kind: 'rate_limited'; retryAfter: number }
  /** Refused: the name of the platform's error, and its details, which never quote content. */
  | { kind: 'refused'; error: string; notes: readonly string[] }
  /** Failed after bytes were written: it may have been done. */
  | { kind: 'ambiguous'; reason: string };

/** The log entry of a call. */
export type Attempt = z.output<typeof messageAttempt>;

/** The outcome of a call, and its line in the message's log. */
export interface ChatReply {
  outcome: ChatOutcome;
  attempt: Attempt;
}

/** The outcome as a word: `ok`, the platform's error, or the kind of failure. */
export const outcomeName = (outcome: ChatOutcome): string => {
  if (outcome.kind === 'refused') return outcome.error;
  return outcome.kind === 'ok' || outcome.kind === 'rate_limited' ? outcome.kind : outcome.reason;
};
