import { connect, type Socket } from 'node:net';

/** Timeout of a connection to a gateway, milliseconds. */
const dialTimeoutMs = 1_000;
/** Milliseconds for which found addresses are cached. */
const foundForMs = 500;

/** Address of a gateway. */
export interface GatewayAddress {
  host: string;
  port: number;
}

/** Sources of the gateways' addresses and of the time, milliseconds. */
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

/** All gateways. They get requests in turn; one that accepts no connection is skipped. */
export class Gateways {
  readonly #around: GatewaySurroundings;
  #addresses: GatewayAddress[] = [];
  #foundAt = Number.NEGATIVE_INFINITY;
  #lookup: Promise<void> = Promise.resolve();
  #turn = 0;

  constructor(around: GatewaySurroundings) {
    this.#around = around;
  }

  /**
   * A new connection to the next gateway that accepts one; undefined when none does. Nothing has been sent on it yet,
   * so trying the next gateway is always safe.
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

  /** A request waits for a lookup that it has begun itself, and for that of another one while no gateway is known. */
  async #current(): Promise<GatewayAddress[]> {
    const { now } = this.#around;
    const isDue = now() - this.#foundAt >= foundForMs;
    if (isDue) {
      this.#foundAt = now();
      this.#lookup = this.#look();
    }
    if (isDue || this.#addresses.length === 0) await this.#lookup;
    return this.#addresses;
  }

  async #look(): Promise<void> {
    // While the lookup fails, the last known gateways stay in use.
    const found = await this.#around.find().catch(() => []);
    if (found.length > 0) this.#addresses = found;
  }
}
