import { connect, type Socket } from 'node:net';

/** How long one gateway may take to accept a connection, milliseconds. */
const dialTimeoutMs = 1_000;
/** How long the addresses of a name are taken for true, milliseconds. */
const addressesForMs = 500;

/** What is asked for the addresses of a host name, and for the time in milliseconds. */
export interface GatewaySurroundings {
  lookup: (host: string) => Promise<string[]>;
  now: () => number;
}

const dial = (host: string, port: number): Promise<Socket | undefined> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: dialTimeoutMs });
    const fail = (): void => {
      socket.destroy();
      resolve(undefined);
    };
    socket.once('error', fail).once('timeout', fail);
    socket.once('connect', () => {
      socket.off('error', fail).off('timeout', fail).setTimeout(0);
      resolve(socket);
    });
  });

/** All gateways behind one name. One after the other gets a request; one that accepts no connection is passed over. */
export class Gateways {
  readonly #host: string;
  readonly #port: number;
  readonly #around: GatewaySurroundings;
  #addresses: string[] = [];
  #askedAt = Number.NEGATIVE_INFINITY;
  #turn = 0;

  constructor(address: string, around: GatewaySurroundings) {
    const [host = '', port] = address.split(':');
    this.#host = host;
    this.#port = Number(port);
    this.#around = around;
  }

  /**
   * A new connection to the next gateway that accepts one; undefined where none does. Nothing has been sent on it yet,
   * so that trying the next is always safe.
   */
  async connect(): Promise<Socket | undefined> {
    const addresses = await this.#current();
    const first = this.#turn++;
    for (const index of addresses.keys()) {
      const host = addresses[(first + index) % addresses.length] ?? '';
      const socket = await dial(host, this.#port);
      if (socket !== undefined) return socket;
    }
    return undefined;
  }

  async #current(): Promise<string[]> {
    const { lookup, now } = this.#around;
    if (now() - this.#askedAt < addressesForMs) return this.#addresses;
    this.#askedAt = now();
    // The addresses that were known last serve on while nobody knows the name: a gateway may be there all the same.
    const found = await lookup(this.#host).catch(() => []);
    if (found.length > 0) this.#addresses = found;
    return this.#addresses;
  }
}
