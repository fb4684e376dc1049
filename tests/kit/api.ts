import type { HttpOperation } from '@stanza/contracts';
import type { z } from 'zod';
import { undocumented } from './openapi.ts';

/** An answer of the API. */
export interface ApiAnswer {
  status: number;
  headers: Headers;
  /** Undefined where the answer is a page, and empty where it is a stream, which is left. */
  body: unknown;
  /** The body as it came. */
  text: string;
}

/** Extra parts of one request. */
export interface ApiOptions {
  headers?: Record<string, string>;
  /** A body sent as it is, instead of one made from a value. */
  raw?: string | Uint8Array;
  /** Ends the wait for an answer. */
  signal?: AbortSignal;
}

/** The parts of a request by which an operation is called. */
export interface OperationInput {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
}

/** An answer of the version before keys, with a key where this version has one. */
const withKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withKeys);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withKeys(one)]));
  return 'name' in fields ? { key: 'of-the-version-before', ...fields } : fields;
};

/** Calls the API with one key, and refuses any answer that the OpenAPI document does not describe. */
export class Api {
  /** Address of the API, without `/v1`. */
  readonly base: string;
  readonly #key: string | undefined;
  readonly #isChecked: boolean;

  /** @param isChecked false where answers are those of another version, which the OpenAPI document does not describe */
  constructor(base: string, key?: string, isChecked = true) {
    this.base = base;
    this.#key = key;
    this.#isChecked = isChecked;
  }

  /** The same address with another key, or with none. */
  with(key: string | undefined): Api {
    return new Api(this.base, key, this.#isChecked);
  }

  /** The same key at the address of another gateway. */
  at(base: string): Api {
    return new Api(base, this.#key, this.#isChecked);
  }

  get(path: string, options?: ApiOptions): Promise<ApiAnswer> {
    return this.request('GET', path, undefined, options);
  }

  post(path: string, body?: unknown, options?: ApiOptions): Promise<ApiAnswer> {
    return this.request('POST', path, body, options);
  }

  /** Calls an operation that must succeed, and answers its typed reply. */
  async ok<O extends HttpOperation>(operation: O, input: OperationInput = {}): Promise<z.output<O['reply']>> {
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => input.params?.[name] ?? '');
    const query = input.query ? `?${new URLSearchParams(input.query)}` : '';
    const answer = await this.request(operation.method, `/v1${path}${query}`, input.body);
    if (answer.status !== operation.status) {
      throw new Error(`${operation.id} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    }
    const reply: O['reply'] = operation.reply;
    return reply.parse(this.#isChecked ? answer.body : withKeys(answer.body));
  }

  async request(method: string, path: string, body?: unknown, options: ApiOptions = {}): Promise<ApiAnswer> {
    const sent = options.raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(this.base + path, {
      method,
      headers: {
        ...(this.#key === undefined ? {} : { authorization: `Bearer ${this.#key}` }),
        ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(sent === undefined ? {} : { body: sent }),
      ...(options.signal && { signal: options.signal }),
    });
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    // A stream goes on: nothing of it is read here.
    if (isStream) await response.body?.cancel();
    const received = isStream ? '' : await response.text();
    const isPage = response.headers.get('content-type')?.startsWith('text/html') === true;
    const answer = {
      status: response.status,
      headers: response.headers,
      body: isStream ? '' : isPage || received === '' ? undefined : JSON.parse(received),
      text: received,
    };
    if (isPage || !this.#isChecked) return answer;
    const problem = undocumented(method, path, answer.status, answer.body);
    if (problem !== undefined) throw new Error(`${problem}\n${JSON.stringify(answer.body)}`);
    return answer;
  }
}
