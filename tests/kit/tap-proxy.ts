import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

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
  readonly #server: Server;
  #count = 0;

  private constructor(target: string, tap: (request: Tapped) => void) {
    this.#target = target;
    this.#tap = tap;
    this.#server = createServer((request, response) => {
      this.#carry(request, response).catch(() => request.socket.destroy());
    });
  }

  /** Starts a proxy on any free port of this machine, in front of a gateway. */
  static async start(target: string, tap: (request: Tapped) => void): Promise<TapProxy> {
    const proxy = new TapProxy(target, tap);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  /** Where it answers. */
  get url(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  }

  /** Requests so far. */
  get count(): number {
    return this.#count;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
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
