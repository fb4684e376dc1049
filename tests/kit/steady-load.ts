import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** One request of a load. */
export interface LoadRequest {
  method: string;
  path: string;
  body?: unknown;
  /** Sent as its `Idempotency-Key`. */
  key?: string;
}

/** What a request met: an answer, or the code of the error that broke its connection. */
export interface Met {
  asked: LoadRequest;
  status?: number;
  text: string;
  isReplayed: boolean;
  error?: string;
}

/** Whether a request was answered with a 2xx. */
export const isAnswered = ({ status = 0 }: Met): boolean => status >= 200 && status <= 299;

/** One kind of request, made over and over on a connection of its own. */
export interface LoadKind {
  name: string;
  /** Milliseconds between two of them. */
  everyMs: number;
  /** The request of that number. */
  make(index: number): LoadRequest;
}

/** A client that keeps its one connection as long as the other side lets it, and never repeats a request. */
export class KeptConnection {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #url: URL;
  readonly #key: string;

  constructor(url: string, key: string) {
    this.#url = new URL(url);
    this.#key = key;
  }

  ask(asked: LoadRequest): Promise<Met> {
    const body = asked.body === undefined ? undefined : JSON.stringify(asked.body);
    const headers = {
      authorization: `Bearer ${this.#key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(asked.key !== undefined && { 'idempotency-key': asked.key }),
    };
    const { hostname: host, port } = this.#url;
    return new Promise((resolve) => {
      const failed = (error: NodeJS.ErrnoException) =>
        resolve({ asked, text: '', isReplayed: false, error: error.code ?? error.message });
      const { method, path } = asked;
      const sent = request({ host, port, method, path, headers, agent: this.#agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', failed);
        response.once('end', () =>
          resolve({
            asked,
            status: response.statusCode ?? 0,
            text: Buffer.concat(chunks).toString('utf8'),
            isReplayed: response.headers['idempotency-replayed'] === 'true',
          }),
        );
      });
      sent.once('error', failed);
      sent.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Makes requests of several kinds at a steady pace until it is stopped, and keeps everything that they met. */
export class SteadyLoad {
  readonly met = new Map<string, Met[]>();
  readonly #loops: Promise<void>[];
  #isStopped = false;

  constructor(kinds: readonly LoadKind[], connect: () => KeptConnection) {
    this.#loops = kinds.map((kind) => this.#loop(kind, connect()));
  }

  /** Requests answered so far. */
  get count(): number {
    return [...this.met.values()].reduce((sum, all) => sum + all.length, 0);
  }

  /** Ends once what is under way is answered. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#loops);
  }

  /** What was not answered with a 2xx, as lines for people. */
  failures(): string[] {
    return [...this.met].flatMap(([name, all]) =>
      all
        .filter((met) => !isAnswered(met))
        .map(({ status, text, error }) => `${name}: ${error ?? `${status} ${text}`}`),
    );
  }

  async #loop({ name, everyMs, make }: LoadKind, connection: KeptConnection): Promise<void> {
    const met: Met[] = [];
    this.met.set(name, met);
    for (let index = 0; !this.#isStopped; index += 1) {
      const rest = pause(everyMs);
      met.push(await connection.ask(make(index)));
      await rest;
    }
    connection.close();
  }
}
