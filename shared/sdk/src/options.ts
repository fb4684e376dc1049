import type { StanzaError } from './errors.ts';

/** What requests are made with; the global `fetch` is one. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** What a client is made with. */
export interface StanzaOptions {
  /** Where the gateway answers: `https://stanza.example.com`. */
  url: string | undefined;
  /** An API key, `stz_…`, or a session token. */
  key: string | undefined;
  /** Milliseconds for a call in all, with its retries and waits; 60,000 unless said otherwise. */
  timeoutMs?: number;
  /** Milliseconds until an attempt without an answer counts as lost; 35,000 unless said otherwise. */
  attemptTimeoutMs?: number;
  /** How often a call is made again at most; as often as its time allows unless said otherwise. */
  maxRetries?: number;
  /**
   * Headers of every request, such as those that a proxy asks for. They take the place of `user-agent`, and of no
   * other of the SDK's.
   */
  headers?: Readonly<Record<string, string>>;
  /** Instead of the global `fetch`. */
  fetch?: Fetch;
  /** Called before each attempt. */
  onRequest?: (request: RequestNote) => void;
  /** Called before each pause, after which the call is made again. */
  onRetry?: (retry: RetryNote) => void;
}

/** What is known of an attempt before it is made. */
export interface RequestNote {
  /** The method, as `templates.send`. */
  operation: string;
  /** That of HTTP. */
  method: string;
  url: string;
  /** From 1. */
  attempt: number;
}

/** Why a call is made again, and when. */
export interface RetryNote {
  operation: string;
  /** The number of the attempt that failed, from 1. */
  attempt: number;
  error: StanzaError;
  /** Milliseconds until the next attempt. */
  pauseMs: number;
}

/** What a call may say besides. */
export interface CallOptions {
  /** Ends the call, whatever it waits for. */
  signal?: AbortSignal;
  /** Milliseconds for this call in all; of a stream, for opening it. */
  timeoutMs?: number;
}

/** What a call may say that follows a stream. */
export interface StreamOptions extends CallOptions {
  /** Called each time the stream is open: what happens from then on comes. */
  onOpen?: () => void;
}

/** What a call may say whose operation takes an idempotency key. */
export interface KeyedOptions extends CallOptions {
  /**
   * Names what has happened, like `order-4711-shipped`: however often the call is made with it, it takes effect once.
   * Without it each call gets a random one, which is kept over its retries.
   */
  idempotencyKey?: string;
}

/** What a call may say that reads from the other environment too. */
export interface SourceOptions extends KeyedOptions {
  /** The key of the other environment, where the client has a key and not the token of a session. */
  sourceKey?: string;
}

/** What the answer of a call says of itself. */
export interface Answer {
  status: number;
  /** For the operator: names the request in the log. */
  requestId: string | undefined;
  /** The answer was given before, to the first request with this idempotency key. */
  replayed: boolean;
  /** The idempotency key that it was made with. */
  idempotencyKey: string | undefined;
  /** Requests that it took. */
  attempts: number;
}

/** An answer's content; what it says of itself stands in `$answer`, which no copy and no JSON text of it shows. */
export type Answered<T> = T & { readonly $answer: Answer };
