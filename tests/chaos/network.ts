import type { Detour, Footing } from '@stanza/local';
import { BreakableProxy } from './proxy.ts';

/** The ways of every process to everything it stands on, each of which can be broken by itself. */
export class Network {
  readonly #proxies = new Map<string, BreakableProxy>();

  /** Leads each process over proxies of its own. */
  readonly detour: Detour = async (process, to, address) => {
    const proxy = await BreakableProxy.start(address);
    this.#proxies.set(`${process} ${to}`, proxy);
    return proxy.port;
  };

  /** The way of one process to one thing. */
  way(process: string, to: Footing): BreakableProxy {
    const proxy = this.#proxies.get(`${process} ${to}`);
    if (proxy) return proxy;
    throw new Error(`there is no way from ${process} to ${to}`);
  }

  /** Mends every way. */
  heal(): void {
    for (const proxy of this.#proxies.values()) proxy.heal();
  }

  /** Ends every proxy. */
  async close(): Promise<void> {
    await Promise.all([...this.#proxies.values()].map((it) => it.close()));
  }
}
