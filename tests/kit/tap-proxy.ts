import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type LocalServer, startLocalServer } from './local-server.ts';

/** A request that the gateway has answered. */
export interface Tapped {
  /** 1 for the first. */
  number: number;
  method: string;
  path: string;
}

/** Headers that are passed on. */
const passed = ['authorization', 'content-type', 'idempotency-key'];
const answered = ['content-type', 'ratelimit', 'retry-after', 'x-request-id', 'idempotency-replayed'];

/** An HTTP proxy that tells of each request when it was answered, before the answer goes back. */
export class TapProxy implements AsyncDisposable {
  readonly #target: string;
  readonly #tap: (request: Tapped) => void;
  #server: LocalServer | undefined;
  #count = 0;

  private constructor(target: string, tap: (request: Tapped) => void) {
    this.#target = target;
    this.#tap = tap;
  }

  /** Starts a proxy on any free port of this machine, in front of a gateway. */
  static async start(target: string, tap: (request: Tapped) => void): Promise<TapProxy> {
    const proxy = new TapProxy(target, tap);
    proxy.#server = await startLocalServer((request, response) => proxy.#carry(request, response));
    return proxy;
  }

  /** Where it answers. */
  get url(): string {
    return this.#server?.url ?? '';
  }

  /** Requests so far. */
  get count(): number {
    return this.#count;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.close();
  }

  async #carry(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = request;
    const body = await buffer(request);
    const headers = passed.flatMap((name): [string, string][] => {
      const value = request.headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    });
    const answer = await fetch(this.#target + url, {
      method,
      headers: Object.fromEntries(headers),
      ...(body.length > 0 && { body }),
    });
    const text = await answer.text();
    this.#count += 1;
    this.#tap({ number: this.#count, method, path: url });
    const back = answered.flatMap((name): [string, string][] => {
      const value = answer.headers.get(name);
      return value === null ? [] : [[name, value]];
    });
    response.writeHead(answer.status, Object.fromEntries(back)).end(text);
  }
}
