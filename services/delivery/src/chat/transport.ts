import type { FetchFunction } from '@slack/web-api';
import { Agent, type Dispatcher } from 'undici';
import { z } from 'zod';
import { defaultRetryAfter } from '../domain/refusals.ts';
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

const readBounded = async (body: Dispatcher.ResponseData['body']): Promise<string> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > answerLimit) throw new MalformedAnswer('the answer is too long');
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
};

/** The client takes text that is no JSON for the name of an error; here it is an answer that was lost. */
const checkAnswer = (text: string): void => {
  try {
    answerSchema.parse(JSON.parse(text));
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

/** Carries requests to the platform's API, on kept connections, and to no other address. */
export class ChatTransport {
  readonly #base: URL;
  readonly #agent = new Agent({ connect: { timeout: connectMs }, allowH2: false });

  /** @param apiUrl what the methods' names are appended to */
  constructor(apiUrl: string) {
    this.#base = new URL(apiUrl.endsWith('/') ? apiUrl : `${apiUrl}/`);
  }

  /** What the platform's client takes in place of `fetch`, for one exchange. Redirects are answers, and no good ones. */
  fetchFor(exchange: Exchange): FetchFunction {
    return async (address, init) => {
      try {
        return await this.#exchange(exchange, address, init);
      } catch (err) {
        // The client wraps the error, and what it was is lost.
        exchange.failure = failureOf(err);
        throw err;
      }
    };
  }

  async #exchange(exchange: Exchange, ...[address, init]: Parameters<FetchFunction>): Promise<Response> {
    const url = new URL(address);
    if (url.origin !== this.#base.origin || !url.pathname.startsWith(this.#base.pathname)) {
      throw new TypeError('the chat platform is called at its configured address alone');
    }
    const answer = await watched(this.#agent, exchange).request({
      origin: url.origin,
      path: url.pathname,
      method: 'POST',
      headers: init?.headers ?? {},
      body: typeof init?.body === 'string' ? init.body : '',
      signal: init?.signal ?? null,
    });
    exchange.httpStatus = answer.statusCode;
    const text = await readBounded(answer.body);
    if (answer.statusCode === 200) checkAnswer(text);
    return new Response(isBodyless(answer.statusCode) ? null : text, {
      status: answer.statusCode,
      headers: headersFor(answer),
    });
  }

  close(): Promise<void> {
    return this.#agent.close();
  }
}

/** Statuses with which a Response must not have a body. */
const isBodyless = (status: number): boolean => status === 204 || status === 205 || status === 304;
