import { connect, type Socket } from 'node:net';

/** How long one gateway may take to accept a connection, milliseconds. */
const dialTimeoutMs = 1_000;
/** How long what was found is taken for true, milliseconds. */
const foundForMs = 500;

/** Where one gateway listens. */
export interface GatewayAddress {
  host: string;
  port: number;
}

/** What is asked for the gateways that there are, and for the time in milliseconds. */
export interface GatewaySurroundings {
  find: () => Promise<GatewayAddress[]>;
  now: () => number;
}

const dial = ({ host, port }: GatewayAddress): Promise<Socket | undefined> =>
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

/** All gateways. One after the other gets a request; one that accepts no connection is passed over. */
export class Gateways {
  readonly #around: GatewaySurroundings;
  #addresses: GatewayAddress[] = [];
  #foundAt = Number.NEGATIVE_INFINITY;
  #turn = 0;

  constructor(around: GatewaySurroundings) {
    this.#around = around;
  }

  /**
   * A new connection to the next gateway that accepts one; undefined where none does. Nothing has been sent on it yet,
   * so that trying the next is always safe.
   */
  async connect(): Promise<Socket | undefined> {
    const addresses = await this.#current();
    const first = this.#turn++ % Math.max(1, addresses.length);
    for (const address of [...addresses.slice(first), ...addresses.slice(0, first)]) {
      const socket = await dial(address);
      if (socket !== undefined) return socket;
    }
    return undefined;
  }

  async #current(): Promise<GatewayAddress[]> {
    const { find, now } = this.#around;
    if (now() - this.#foundAt < foundForMs) return this.#addresses;
    this.#foundAt = now();
    // Those that were found last serve on while nobody can say: they may be there all the same.
    const found = await find().catch(() => []);
    if (found.length > 0) this.#addresses = found;
    return this.#addresses;
  }
}
