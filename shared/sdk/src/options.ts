/** What requests are made with; the global `fetch` is one. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** What a client is made with. */
export interface StanzaOptions {
  /** Where the gateway answers, without `/v1`: `https://stanza.example.com`. */
  url: string | undefined;
  /** An API key, `stz_…`, or a session token. */
  key: string | undefined;
  /** Milliseconds for a call in all, with its retries and waits; 60,000 unless said otherwise. */
  timeoutMs?: number;
  /** Milliseconds until an attempt without an answer counts as lost; 30,000 unless said otherwise. */
  attemptTimeoutMs?: number;
  /** Instead of the global `fetch`. */
  fetch?: Fetch;
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
