import { AsyncLocalStorage } from 'node:async_hooks';
import type { FetchFunction } from '@slack/web-api';
import { Agent, type Dispatcher } from 'undici';
import { z } from 'zod';
import { defaultRetryAfter } from './errors.ts';
import { type Progress, watched } from './watched-dispatch.ts';

/** Milliseconds to reach the platform, DNS and TLS included. */
const connectMs = 3_000;
/** Bytes of an answer; a page of a channel's history is the largest that is asked for. */
const answerLimit = 8 * 1024 * 1024;
/** The answer's headers that the platform's client reads; others could make it unpack or log what it should not. */
const passedHeaders = ['x-oauth-scopes', 'x-accepted-oauth-scopes'];

/** What one exchange has come to so far. */
export interface Exchange extends Progress {
  httpStatus?: number;
  /** How it broke, in a word. */
  failure?: string;
}

/** An exchange that is about to begin. */
export interface Opening {
  exchange: Exchange;
  /** The bot's token; none for the methods that take none. */
  token: string | undefined;
  /** Milliseconds from here to the end of the answer. */
  timeoutMs: number;
  /** What is said in JSON, instead of in the form that the client makes. */
  json: Record<string, unknown> | undefined;
}

/** The answer came, and is none that the platform gives. */
export class MalformedAnswer extends Error {
  override readonly name = 'MalformedAnswer';
}

const property = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/** How an exchange broke, in a word: the code of the error or of its cause, else its name. */
const failureOf = (error: unknown): string => {
  const name = String(property(error, 'name'));
  if (name === 'TimeoutError' || name === 'AbortError') return 'timeout';
  const codes = [property(error, 'code'), property(property(error, 'cause'), 'code')];
  return codes.find((code) => typeof code === 'string') ?? name;
};

const answerSchema = z.looseObject({ ok: z.boolean() });

/**
 * The answer as the client is to read it: without the message that a post's answer repeats, which nobody asks for and
 * the client goes through twice. Text that is no JSON it would take for the name of an error; here the answer is lost.
 */
const answerIn = (text: string): string => {
  try {
    const answer = answerSchema.parse(JSON.parse(text));
    if (!('message' in answer)) return text;
    return JSON.stringify({ ...answer, message: undefined });
  } catch (cause) {
    throw new MalformedAnswer('the answer is not in the form of the platform', { cause });
  }
};

const headersFor = (answer: Dispatcher.ResponseData): Headers => {
  const headers = new Headers({ 'content-type': 'application/json' });
  for (const name of passedHeaders) {
    const value = answer.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  if (answer.statusCode === 429) headers.set('retry-after', String(retryAfterOf(answer)));
  return headers;
};

/** The client gives up on a 429 that does not say for how long. */
const retryAfterOf = ({ headers }: Dispatcher.ResponseData): number => {
  const value = headers['retry-after'];
  return typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : defaultRetryAfter;
};

/**
 * An answer that has been read. The platform's client reads it as text and nothing else; a body of its own kind would be
 * made into a stream and back into text.
 */
class ReadAnswer extends Response {
  override readonly text: () => Promise<string>;

  constructor(text: string, init: ResponseInit) {
    super(null, init);
    this.text = () => Promise.resolve(text);
  }
}

const formIn = (init: Parameters<FetchFunction>[1]): string =>
  typeof init?.body === 'string' ? init.body : '';

/** Carries requests to the platform's API, on kept connections, and to no other address. */
export class ChatTransport {
  readonly #base: URL;
  readonly #openings = new AsyncLocalStorage<Opening>();
  readonly #agent = new Agent({
    connect: { timeout: connectMs },
    allowH2: false,
    maxResponseSize: answerLimit,
  });

  /** @param apiUrl what the methods' names are appended to */
  constructor(apiUrl: string) {
    this.#base = new URL(apiUrl.endsWith('/') ? apiUrl : `${apiUrl}/`);
  }

  /** Runs a call of the client, whose one request is then this exchange. */
  during<T>(opening: Opening, call: () => Promise<T>): Promise<T> {
    return this.#openings.run(opening, call);
  }

  /** What the platform's client takes in place of `fetch`. Redirects are answers, and no good ones. */
  readonly fetch: FetchFunction = async (address, init) => {
    const opening = this.#openings.getStore();
    if (!opening) throw new TypeError('a request to the chat platform belongs to no call');
    try {
      return await this.#request(opening, address, init);
    } catch (err) {
      // The client wraps the error, and what it was is lost.
      opening.exchange.failure = failureOf(err);
      throw err;
    }
  };

  async #request(
    { exchange, token, timeoutMs, json }: Opening,
    ...[address, init]: Parameters<FetchFunction>
  ): Promise<Response> {
    const url = new URL(address);
    if (url.origin !== this.#base.origin || !url.pathname.startsWith(this.#base.pathname)) {
      throw new TypeError('the chat platform is called at its configured address alone');
    }
    const answer = await watched(this.#agent, exchange).request({
      origin: url.origin,
      path: url.pathname,
      method: 'POST',
      headers: {
        ...init?.headers,
        ...(json && { 'Content-Type': 'application/json; charset=utf-8' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: json ? JSON.stringify(json) : formIn(init),
      signal: AbortSignal.timeout(Math.max(1, Math.floor(timeoutMs))),
    });
    exchange.httpStatus = answer.statusCode;
    const text = await answer.body.text();
    const read = answer.statusCode === 200 ? answerIn(text) : text;
    return new ReadAnswer(read, { status: answer.statusCode, headers: headersFor(answer) });
  }

  close(): Promise<void> {
    return this.#agent.close();
  }
}
