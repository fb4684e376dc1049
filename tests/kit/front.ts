import { once } from 'node:events';
import { get } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';

/** Milliseconds between two looks at a replica. */
const lookMs = 100;
/**
 * Milliseconds until a look without an answer finds a replica unready; long, since a busy machine is slow to answer.
 */
const unansweredMs = 10_000;

/** A replica behind the front. */
export interface Target {
  /** Address of its API. */
  url: string;
  /** Address that answers 200 while it takes new connections. */
  readyUrl: string;
}

/** One address for several replicas. */
export interface Front {
  url: string;
  /** Waits until this many replicas are seen ready. */
  whenReady(count: number): Promise<void>;
  close(): Promise<void>;
}

const isReady = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const asked = get(url, { agent: false, timeout: unansweredMs }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    asked.once('timeout', () => asked.destroy());
    asked.once('error', () => resolve(false));
  });

/** Joins two connections: bytes, ends and breaks of one are those of the other. */
const join = (client: Socket, server: Socket): void => {
  for (const [from, to] of [
    [client, server],
    [server, client],
  ] as const) {
    from.pipe(to);
    from.once('error', () => to.resetAndDestroy());
  }
};

class RoundRobin {
  readonly #sockets = new Set<Socket>();
  readonly #looks = new Set<() => void>();
  #ready: readonly Target[] = [];
  #next = 0;
  #isClosed = false;
  readonly #watch: Promise<unknown>;

  constructor(targets: readonly Target[]) {
    this.#watch = Promise.all(targets.map((it) => this.#look(it)));
  }

  /** A new connection goes to the next replica that is ready; where none is, it breaks. */
  take(client: Socket): void {
    this.#keep(client);
    const target = this.#ready[this.#next++ % Math.max(this.#ready.length, 1)];
    if (!target) return void client.resetAndDestroy();
    const { hostname: host, port } = new URL(target.url);
    const server = connect({ host, port: Number(port), allowHalfOpen: true });
    this.#keep(server);
    join(client, server);
  }

  async whenReady(count: number): Promise<void> {
    while (this.#ready.length < count) await new Promise<void>((resolve) => this.#looks.add(resolve));
  }

  async end(): Promise<void> {
    this.#isClosed = true;
    for (const socket of this.#sockets) socket.destroy();
    await this.#watch;
  }

  #keep(socket: Socket): void {
    socket.setNoDelay(true);
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
  }

  /** Each replica is looked at apart, so that one which is slow to answer does not hide that another leaves. */
  async #look(target: Target): Promise<void> {
    while (!this.#isClosed) {
      const ready = await isReady(target.readyUrl);
      const others = this.#ready.filter((it) => it !== target);
      this.#ready = ready ? [...others, target] : others;
      for (const tell of this.#looks) tell();
      this.#looks.clear();
      await new Promise((resolve) => setTimeout(resolve, lookMs));
    }
  }
}

/**
 * Stands in front of replicas as a Kubernetes Service does: whole connections are handed to the ready ones in turn,
 * those that are open stay where they are, and nothing is ever sent twice.
 */
export const startFront = async (targets: readonly Target[]): Promise<Front> => {
  const robin = new RoundRobin(targets);
  const server = createServer({ allowHalfOpen: true }, (client) => robin.take(client));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  await robin.whenReady(targets.length);
  return {
    url: `http://127.0.0.1:${port}`,
    whenReady: (count) => robin.whenReady(count),
    close: async () => {
      server.close();
      await robin.end();
    },
  };
};
