import { type Attempt, attempt, contentOf, type Request, type Sender, type Success } from './attempt.ts';
import { type BulkReply, inHundreds } from './bulk.ts';
import { StanzaError } from './errors.ts';
import { eventsOf } from './events.ts';
import type * as types from './generated/types.ts';
import { jsonOf } from './json-of.ts';
import { List, type ListPage } from './list.ts';
import type {
  Answer,
  Answered,
  CallOptions,
  KeyedOptions,
  SourceOptions,
  StanzaOptions,
  StreamOptions,
} from './options.ts';
import { type Kind, pauseBefore, reactionTo } from './retry.ts';

/** Time and chance, which tests hold. */
export interface Surroundings {
  /** Milliseconds, on a clock that never goes back. */
  now(): number;
  /** From 0 to 1. */
  random(): number;
  /** Ends after this many milliseconds, or at once when the signal is aborted. */
  sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void>;
}

const sleep = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  });

const usual: Surroundings = { now: () => performance.now(), random: Math.random, sleep };

/**
 * A part of a path. An empty one would make it the path of something else, and so would `.` and `..`, which every
 * parser of addresses resolves, however they are encoded.
 */
export const part = (value: string): string => {
  if (!value) throw new TypeError('an id is empty');
  if (value === '.' || value === '..') throw new TypeError(`${value} is no id: it would name another path`);
  if (/\p{Surrogate}/u.test(value)) throw new TypeError('an id has half of a character');
  return encodeURIComponent(value);
};

const queryOf = (query: object | undefined): string => {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {}))
    if (value !== undefined && value !== null) search.append(name, String(value));
  return search.size === 0 ? '' : `?${search}`;
};

const readKey = (key: string | undefined, name = 'key'): string => {
  if (key && /^[\x21-\x7e]+$/.test(key)) return key;
  throw new TypeError(
    `\`${name}\` is to be an API key or a session token: it is empty, or has characters that none has`,
  );
};

/** @throws TypeError where `fetch` would refuse a header, which no attempt changes */
const readHeader = (option: string, name: string, value: string): string => {
  try {
    new Headers([[name, value]]);
    return value;
  } catch {
    throw new TypeError(
      `\`${option}\` is no header that \`fetch\` sends: it may have characters of Latin-1 in one line, and no others`,
    );
  }
};

/**
 * The given idempotency key, or a random one.
 * @throws TypeError where it is none: all calls of an empty one, or of `null`, would be one call
 */
const readIdempotencyKey = (given: string = crypto.randomUUID()): string => {
  if (typeof given === 'string' && given.trim() !== '')
    return readHeader('idempotencyKey', 'idempotency-key', given);
  throw new TypeError('`idempotencyKey` is to be a text that is not empty; leave it out for a random one');
};

/**
 * The address may be that of the interface, which ends in `/v1`.
 * @throws TypeError where a path cannot follow, or `fetch` refuses the address, whose password no message is to have
 */
const readUrl = (url: string | undefined): string => {
  if (url && URL.canParse(url) && (new URL(url).username || /[?#]/.test(url)))
    throw new TypeError('`url` is to have no user, query or fragment; `headers` takes what a proxy asks for');
  if (url && /^https?:\/\//.test(url) && URL.canParse(url)) return url.replace(/(\/v1)?\/*$/, '');
  throw new TypeError(
    `\`url\` is to be the address of the gateway, as https://stanza.example.com: it is ${url}`,
  );
};

/**
 * A number of an option.
 * @throws TypeError where it is none: a comparison with NaN holds never, so that a call would go on for ever
 */
const readNumber = (name: 'timeoutMs' | 'attemptTimeoutMs' | 'maxRetries', given: number): number => {
  if (typeof given === 'number' && given >= 0) return given;
  throw new TypeError(`\`${name}\` is to be a number of 0 or more: it is ${given}`);
};

/** Milliseconds of an attempt: more than the deadline of any operation, whose answer may take all of it. */
export const attemptTimeoutMs = 35_000;

/** The longest time that a timer can wait; a longer one would end at once. */
const longestTimer = 2 ** 31 - 1;

const endings = {
  aborted: 'the signal of the call was aborted',
  deadline_exceeded: 'the time of the call is over',
} as const;

/** The end of a call that was not to go on. @param last what the last attempt failed of; undefined where its end has cut it */
const endedBy = (
  code: keyof typeof endings,
  last: StanzaError | undefined,
  { operation }: Request,
  { idempotencyKey, number, signal }: Pick<Attempt, 'idempotencyKey' | 'number' | 'signal'>,
): StanzaError => {
  const count =
    number === 0 ? 'before the first attempt' : `after ${number} attempt${number === 1 ? '' : 's'}`;
  const said = last === undefined ? '' : `; the last one: ${last.text}`;
  return new StanzaError({
    code,
    text: `${endings[code]}, ${count}${said}`,
    operation,
    idempotencyKey,
    attempts: number,
    cause: last?.fault,
    reason: code === 'aborted' ? signal?.reason : undefined,
  });
};

const needed =
  '`@stanza/sdk` needs `fetch` and Web Crypto: Node 22 or newer, or another runtime that has both';

const withoutOptions =
  'a client is made with the address of the gateway and an API key: `new Stanza({ url, key })`';

/** Makes the calls of a client. */
export class Caller {
  readonly #sender: Sender;
  readonly #options: StanzaOptions;
  readonly #timeoutMs: number;
  readonly #attemptTimeoutMs: number;
  readonly #maxRetries: number;
  readonly #surroundings: Surroundings;

  /** @throws TypeError where the address or the key is none */
  constructor(options: StanzaOptions, surroundings: Surroundings = usual) {
    if (typeof crypto === 'undefined' || typeof fetch === 'undefined') throw new TypeError(needed);
    if (Object(options) !== options) throw new TypeError(withoutOptions);
    const given = Object.entries(options.headers ?? {});
    this.#sender = {
      fetch: options.fetch ?? ((url, init) => fetch(url, init)),
      url: readUrl(options.url),
      key: readKey(options.key),
      headers: Object.fromEntries(
        given.map(([name, value]) => [name.toLowerCase(), readHeader(`headers.${name}`, name, value)]),
      ),
    };
    this.#options = { ...options, key: undefined };
    this.#timeoutMs = readNumber('timeoutMs', options.timeoutMs ?? 60_000);
    this.#attemptTimeoutMs = readNumber('attemptTimeoutMs', options.attemptTimeoutMs ?? attemptTimeoutMs);
    this.#maxRetries = readNumber('maxRetries', options.maxRetries ?? Number.POSITIVE_INFINITY);
    this.#surroundings = surroundings;
  }

  /** Calls an operation until it has an answer that stands, or its time is over. */
  protected async call<T extends object>(
    kind: Kind,
    operation: string,
    method: string,
    path: string,
    options?: SourceOptions,
    body?: unknown,
    query?: object,
    list?: keyof T,
  ): Promise<Answered<T>> {
    const sourceKey = options?.sourceKey === undefined ? undefined : readKey(options.sourceKey, 'sourceKey');
    const request = { ...this.#request(operation, method, path, body, query), sourceKey };
    const { success, made } = await this.#persist(kind, request, options);
    const { headers, status } = success;
    const $answer: Answer = {
      status,
      requestId: headers.get('x-request-id') ?? undefined,
      replayed: headers.has('idempotency-replayed'),
      idempotencyKey: made.idempotencyKey,
      attempts: made.number,
    };
    const content = Object.assign(contentOf<T>(success, operation, made, list), { $answer });
    return Object.defineProperty(content, '$answer', { enumerable: false });
  }

  /** Calls an operation that answers without content. */
  protected async run(operation: string, method: string, path: string, options?: CallOptions): Promise<void> {
    await this.#persist('change', this.#request(operation, method, path), options);
  }

  /** A list, whose pages are fetched as they are come to. */
  protected list<Item, Page extends ListPage<Item>>(
    operation: string,
    path: string,
    options?: CallOptions,
    query: object = {},
  ): List<Item, Answered<Page>> {
    return new List(operation, query, (at) =>
      this.call<Page>('read', operation, 'GET', path, options, undefined, at, 'data'),
    );
  }

  /** What happens, as it happens; a stream that ends or breaks is opened again where it was. */
  protected follow<Event>(
    operation: string,
    path: string,
    options: StreamOptions = {},
    query: object = {},
  ): AsyncIterable<Event> {
    const open = async (after: string | undefined) => {
      const request = this.#request(operation, 'GET', path, undefined, { ...query, ...(after && { after }) });
      const { success } = await this.#persist('read', { ...request, isStream: true }, options);
      options.onOpen?.();
      return success.stream;
    };
    const { signal } = options;
    const pause = (milliseconds: number) => this.#pause(milliseconds, operation, signal);
    return { [Symbol.asyncIterator]: () => eventsOf<Event>({ open, pause, signal }) };
  }

  /** Sends to any number of destinations, a hundred with each request. */
  protected async bulk(body: types.SendBulkBody, options: KeyedOptions = {}): Promise<Answered<BulkReply>> {
    const operation = 'templates.sendBulk';
    const path = '/templates/send-bulk';
    const pause = (milliseconds: number) => this.#pause(milliseconds, operation, options.signal);
    const send = (piece: types.SendBulkBody, own: KeyedOptions) =>
      this.call<types.SendBulkReply>('keyed', operation, 'POST', path, own, piece, undefined, 'results');
    const idempotencyKey = readIdempotencyKey(options.idempotencyKey);
    return inHundreds(body, { ...options, idempotencyKey }, send, pause);
  }

  /** @throws StanzaError where the signal ends the call */
  async #pause(milliseconds: number, operation: string, signal: AbortSignal | undefined): Promise<void> {
    await this.#surroundings.sleep(milliseconds, signal);
    if (!signal?.aborted) return;
    throw new StanzaError({ code: 'aborted', text: endings.aborted, operation, reason: signal.reason });
  }

  #request(operation: string, method: string, path: string, body?: unknown, query?: object): Request {
    const url = `${this.#sender.url}/v1${path}${queryOf(query)}`;
    return { operation, method, url, body: body === undefined ? undefined : jsonOf(body) };
  }

  async #persist(
    kind: Kind,
    request: Request,
    { signal, timeoutMs = this.#timeoutMs, idempotencyKey: given }: KeyedOptions = {},
  ): Promise<{ success: Success; made: Attempt }> {
    const { now, random, sleep: pause } = this.#surroundings;
    const { onRequest, onRetry } = this.#options;
    const { operation, method, url } = request;
    const deadline = now() + readNumber('timeoutMs', timeoutMs);
    const idempotencyKey = kind === 'keyed' ? readIdempotencyKey(given) : undefined;
    let last: StanzaError | undefined;
    for (let number = 1; ; number += 1) {
      if (signal?.aborted)
        throw endedBy('aborted', last, request, { idempotencyKey, number: number - 1, signal });
      const left = Math.max(0, deadline - now());
      const attemptMs = Math.min(this.#attemptTimeoutMs, left, longestTimer);
      const made = { number, idempotencyKey, signal, timeoutMs: attemptMs };
      onRequest?.({ operation, method, url, attempt: number });
      const outcome = await attempt(this.#sender, request, made);
      if (!(outcome instanceof StanzaError)) return { success: outcome, made };
      // Without a status, the abort itself has cut the attempt.
      if (signal?.aborted)
        throw endedBy('aborted', outcome.status === 0 ? undefined : outcome, request, made);
      if (reactionTo(outcome, kind, number) === 'stop' || number > this.#maxRetries) throw outcome;
      const wait = pauseBefore(number, outcome.retryAfter, random());
      if (now() + wait >= deadline)
        throw outcome.code === 'no_answer' ? endedBy('deadline_exceeded', outcome, request, made) : outcome;
      onRetry?.({ operation, attempt: number, error: outcome, pauseMs: wait });
      await pause(wait, signal);
      last = outcome;
    }
  }
}
