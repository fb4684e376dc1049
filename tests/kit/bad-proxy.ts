import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { SeededRandom } from '../chaos/random.ts';
import { type LocalServer, startLocalServer } from './local-server.ts';

/** What the proxy does with a request. */
const fates = ['pass', 'cut_before', 'cut_after', 'double', 'delay', 'give_up'] as const;

/** See {@link fates}. */
export type Fate = (typeof fates)[number];

/** An answer of the gateway. */
interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

/** Milliseconds for which an answer is held back. */
const heldMs = 25;

/** An HTTP proxy of which about every second request has trouble: it is lost, or its answer, or it arrives twice or late. */
export class BadProxy {
  /** How many requests had each fate. */
  readonly counts: Record<Fate, number> = {
    pass: 0,
    cut_before: 0,
    cut_after: 0,
    double: 0,
    delay: 0,
    give_up: 0,
  };
  readonly #target: string;
  readonly #random: SeededRandom;
  #server: LocalServer | undefined;

  private constructor(target: string, random: SeededRandom) {
    this.#target = target;
    this.#random = random;
  }

  /** Starts a proxy on any free port of this machine, in front of a gateway. */
  static async start(target: string, random: SeededRandom): Promise<BadProxy> {
    const proxy = new BadProxy(target, random);
    proxy.#server = await startLocalServer((request, response) => proxy.#carry(request, response));
    return proxy;
  }

  /** Where it answers. */
  get url(): string {
    return this.#server?.url ?? '';
  }

  /** Ends the proxy and every connection to it. */
  async close(): Promise<void> {
    await this.#server?.close();
  }

  async #carry(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fate: Fate = this.#random.next() < 0.5 ? 'pass' : this.#random.pick(fates);
    this.counts[fate] += 1;
    const body = await buffer(request);
    if (fate === 'cut_before') {
      request.socket.destroy();
      return;
    }
    const answers = await Promise.all(
      Array.from({ length: fate === 'double' ? 2 : 1 }, () => this.#forward(request, body)),
    );
    if (fate === 'cut_after') request.socket.destroy();
    else if (fate === 'give_up') response.writeHead(504).end('<h1>Gateway Time-out</h1>');
    else await this.#answer(fate, response, answers.at(-1));
  }

  async #answer(fate: Fate, response: ServerResponse, answer: Answer | undefined): Promise<void> {
    if (fate === 'delay') await delay(heldMs);
    const names = ['content-type', 'retry-after', 'x-request-id', 'idempotency-replayed'];
    const headers = names.flatMap((name) => {
      const value = answer?.headers.get(name);
      return value ? [[name, value]] : [];
    });
    response.writeHead(answer?.status ?? 500, Object.fromEntries(headers)).end(answer?.text);
  }

  async #forward({ method = 'GET', url = '/', headers }: IncomingMessage, body: Buffer): Promise<Answer> {
    const { authorization = '', 'content-type': type = '', 'idempotency-key': key } = headers;
    const response = await fetch(this.#target + url, {
      method,
      headers: {
        authorization,
        ...(type && { 'content-type': type }),
        ...(typeof key === 'string' && { 'idempotency-key': key }),
      },
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }
}
