import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingHttpHeaders } from 'node:http';
import type { FetchFunction } from '@slack/web-api';
import { Agent, type Dispatcher } from 'undici';

/** Seconds to wait for a rate limit without a `Retry-After`. */
export const defaultRetryAfter = 30;
/**
 * Most seconds for which a rate limit holds a channel or a method. The platform counts by the minute; where it asks for
 * longer, it is asked again, so that a mistaken answer does not silence a channel for days.
 */
const longestRetryAfter = 600;
/** Timeout of connecting to the platform, milliseconds, DNS and TLS included. */
const connectMs = 3_000;
/** Largest answer, bytes; a page of a channel's history is the largest one. */
const answerLimit = 8 * 1024 * 1024;
/** The answer's headers that the platform's client reads; others could make it decompress or log content. */
const passedHeaders = ['x-oauth-scopes', 'x-accepted-oauth-scopes'];

/** The state of a request. */
export interface CallProgress extends Progress {
  httpStatus?: number;
  /** The kind of failure, in a word. */
  failure?: string;
}

/** A request about to start. */
export interface Opening {
  progress: CallProgress;
  /** The bot's token; undefined for methods without one. */
  token: string | undefined;
  /** Timeout for the whole answer, milliseconds. */
  timeoutMs: number;
  /** The body as JSON, in place of the client's form. */
  json: Record<string, unknown> | undefined;
}

/** The answer is not one of the platform. */
export class MalformedAnswer extends Error {
  override readonly name = 'MalformedAnswer';
}

const property = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/** The kind of failure of a request, in a word: the code of the error or of its cause, else its name. */
const failureOf = (error: unknown): string => {
  const name = String(property(error, 'name'));
  if (name === 'TimeoutError' || name === 'AbortError') return 'timeout';
  const codes = [property(error, 'code'), property(property(error, 'cause'), 'code')];
  return codes.find((code) => typeof code === 'string') ?? name;
};

/**
 * The answer for the client: without the message that a post's answer repeats, which is unused and which the client
 * would process twice. The client would take text that is not JSON for the name of an error; here the outcome counts as
 * unknown.
 */
const answerIn = (text: string): string => {
  try {
    const answer: unknown = JSON.parse(text);
    if (typeof property(answer, 'ok') !== 'boolean') throw new TypeError('the answer has no "ok"');
    if (property(answer, 'message') === undefined) return text;
    return JSON.stringify(Object.assign({}, answer, { message: undefined }));
  } catch (cause) {
    throw new MalformedAnswer('the answer is not in the form of the platform', { cause });
  }
};

/** The client gives up on a 429 without a `Retry-After`. */
const retryAfterOf = ({ headers }: ReadAnswer): number => {
  const value = headers['retry-after'];
  const isUsable = typeof value === 'string' && /^\d{1,6}$/.test(value);
  return isUsable ? Math.min(Number(value), longestRetryAfter) : defaultRetryAfter;
};

const headersFor = (answer: ReadAnswer): Map<string, string> => {
  const headers = new Map([['content-type', 'application/json']]);
  for (const name of passedHeaders) {
    const value = answer.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  if (answer.statusCode === 429) headers.set('retry-after', String(retryAfterOf(answer)));
  return headers;
};

/** The answer as the client takes it from a `fetch`, of which it only reads the text. */
const fetched = (url: string, answer: ReadAnswer): Awaited<ReturnType<FetchFunction>> => {
  const { statusCode: status, body } = answer;
  const headers = headersFor(answer);
  const text = status === 200 ? answerIn(body.toString()) : body.toString();
  return {
    ok: status === 200,
    status,
    statusText: '',
    url,
    headers: { get: (name) => headers.get(name.toLowerCase()) ?? null, entries: () => headers },
    text: async () => text,
    json: async (): Promise<unknown> => JSON.parse(text),
    arrayBuffer: async () => new TextEncoder().encode(text).buffer,
  };
};

const formIn = (init: Parameters<FetchFunction>[1]): string =>
  typeof init?.body === 'string' ? init.body : '';

/** Carries requests to the platform's API over keep-alive connections, and to no other address. */
export class ChatTransport {
  readonly #base: URL;
  readonly #openings = new AsyncLocalStorage<Opening>();
  readonly #agent = new Agent({
    connect: { timeout: connectMs },
    allowH2: false,
    maxResponseSize: answerLimit,
  });

  /** @param apiUrl base address of the methods */
  constructor(apiUrl: string) {
    this.#base = new URL(apiUrl.endsWith('/') ? apiUrl : `${apiUrl}/`);
  }

  /** Runs a call of the client, whose single request then belongs to it. */
  during<T>(opening: Opening, call: () => Promise<T>): Promise<T> {
    return this.#openings.run(opening, call);
  }

  /** Replaces `fetch` in the platform's client. Redirects are not followed and count as invalid answers. */
  readonly fetch: FetchFunction = async (address, init) => {
    const opening = this.#openings.getStore();
    if (!opening) throw new TypeError('a request to the chat platform belongs to no call');
    try {
      return await this.#request(opening, address, init);
    } catch (err) {
      // The client wraps the error and loses its kind.
      opening.progress.failure = failureOf(err);
      throw err;
    }
  };

  async #request(
    { progress, token, timeoutMs, json }: Opening,
    ...[address, init]: Parameters<FetchFunction>
  ): ReturnType<FetchFunction> {
    const url = new URL(address);
    if (url.origin !== this.#base.origin || !url.pathname.startsWith(this.#base.pathname)) {
      throw new TypeError('the chat platform may be called at its configured address only');
    }
    const request = {
      origin: url.origin,
      path: url.pathname,
      method: 'POST',
      headers: {
        ...init?.headers,
        ...(json && { 'Content-Type': 'application/json; charset=utf-8' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: json ? JSON.stringify(json) : formIn(init),
    } as const;
    const answer = await requestAnswer(this.#agent, request, { progress, timeoutMs });
    progress.httpStatus = answer.statusCode;
    if (answer.failure) throw answer.failure;
    return fetched(url.href, answer);
  }

  close(): Promise<void> {
    return this.#agent.close();
  }
}

/** The progress of a request. */
export interface Progress {
  /** True once bytes of the request may have been sent; before that, nothing can have happened. */
  bytesMayHaveLeft: boolean;
}

/** How an answer is read. */
export interface AnswerOptions {
  progress: Progress;
  /** Timeout for the whole answer, milliseconds. */
  timeoutMs: number;
  /** Bytes of the answer after which the rest is dropped; all are read unless given. */
  maxBytes?: number;
}

/** An answer that has been read. */
export interface ReadAnswer {
  statusCode: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** Why the rest of the body is missing. */
  failure?: Error;
}

/**
 * Makes one request and reads its answer.
 * @throws the error of a request without an answer; a timeout is named `TimeoutError`
 */
export const requestAnswer = (
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  how: AnswerOptions,
): Promise<ReadAnswer> =>
  new Promise((resolve, reject) => {
    dispatcher.dispatch(request, new AnswerReader(how, resolve, reject));
  });

/**
 * Reads an answer, and records the moment before the first byte of the request is written: the client starts a request
 * only on an established connection, TLS included. Error codes do not tell this, since a reset may come at any time.
 */
class AnswerReader implements Dispatcher.DispatchHandler {
  readonly #how: AnswerOptions;
  readonly #resolve: (answer: ReadAnswer) => void;
  readonly #reject: (reason: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #head: Pick<ReadAnswer, 'statusCode' | 'headers'> | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  /** Set once the time is up, which a request that waits for its connection learns later. */
  #timeout: DOMException | undefined;

  constructor(how: AnswerOptions, resolve: (answer: ReadAnswer) => void, reject: (reason: unknown) => void) {
    this.#how = how;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#timer = setTimeout(() => this.#giveUp(), Math.max(1, Math.floor(how.timeoutMs)));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#timeout) controller.abort(this.#timeout);
    else this.#how.progress.bytesMayHaveLeft = true;
  }

  onResponseStart(_: Dispatcher.DispatchController, statusCode: number, headers: IncomingHttpHeaders): void {
    // The final answer follows an informational one.
    if (statusCode >= 200) this.#head = { statusCode, headers };
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes < (this.#how.maxBytes ?? Number.POSITIVE_INFINITY)) return;
    this.#end();
    controller.abort(new Error('the rest of the answer is not read'));
  }

  onResponseEnd(): void {
    this.#end();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#end(error);
  }

  #giveUp(): void {
    this.#timeout = new DOMException('the answer has not come in time', 'TimeoutError');
    this.#end(this.#timeout);
    this.#controller?.abort(this.#timeout);
  }

  /** Only the first end counts. */
  #end(failure?: Error): void {
    clearTimeout(this.#timer);
    if (!this.#head) this.#reject(failure);
    else this.#resolve({ ...this.#head, body: Buffer.concat(this.#chunks), ...(failure && { failure }) });
  }
}
