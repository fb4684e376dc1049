import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Where a proxy leads. */
export interface ProxyTarget {
  host: string;
  port: number;
}

/** The two ends of one connection. */
interface Pair {
  client: Socket;
  upstream?: Socket;
  /** Its far end is gone, and its near end has not been told. */
  bereft: boolean;
  /** What is written to it vanishes on both ways, and neither end hears of the other's end. */
  silent: boolean;
}

/** Waits for a number of milliseconds. */
type Pause = (milliseconds: number) => Promise<unknown>;

/** A TCP proxy whose network can be broken. */
export class BreakableProxy {
  readonly #target: ProxyTarget;
  readonly #pause: Pause;
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();
  /** While it is set nothing passes; bytes wait, as those do that TCP repeats until they arrive. */
  #partition: PromiseWithResolvers<void> | undefined;
  #isHalfOpen = false;
  #delayMs = 0;
  #held = 0;
  #lostPieces = 0;

  private constructor(target: ProxyTarget, pause: Pause) {
    this.#target = target;
    this.#pause = pause;
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
      this.#accept(client);
    });
  }

  /**
   * Starts a proxy on any free port of this machine.
   * @param pause is what it waits with while it is slow
   */
  static async start(target: ProxyTarget, pause: Pause = delay): Promise<BreakableProxy> {
    const proxy = new BreakableProxy(target, pause);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  /** Where it listens. */
  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address ? address.port : 0;
  }

  /** New connections, pieces and ends of connections that a partition keeps back now. */
  get held(): number {
    return this.#held;
  }

  /** Pieces that were written to a far end which is gone, or on a connection that is silent. */
  get lost(): number {
    return this.#lostPieces;
  }

  /** Drops data in both directions without closing connections. */
  partition(): void {
    this.#partition ??= Promise.withResolvers();
  }

  /** The far end vanishes: it sees its connections end, while the near end sees silence; new ones hear nothing. */
  halfOpen(): void {
    this.#isHalfOpen = true;
    for (const pair of this.#heard()) {
      pair.bereft = true;
      pair.upstream?.resetAndDestroy();
    }
  }

  /**
   * Every second of the connections, the oldest first, goes silent: what is written vanishes on both ways, and no end is
   * told, not even when the other one closes. The others, and new ones, work. It does not heal with the rest.
   * @returns what ends it: both ends see these connections break
   */
  silence(): () => void {
    const chosen = this.#heard().filter((pair, at) => at % 2 === 0 && !pair.bereft);
    for (const pair of chosen) pair.silent = true;
    return () => {
      for (const pair of chosen) this.#end(pair);
    };
  }

  /** Holds back whatever passes. */
  slow(delayMs: number): void {
    this.#delayMs = delayMs;
  }

  /** Breaks every connection that is not silent, for both ends to see. */
  reset(): void {
    for (const pair of this.#heard()) this.#end(pair);
  }

  /** Ends all of it but silence. Connections that have lost their far end break; the others go on where they were. */
  heal(): void {
    this.#delayMs = 0;
    this.#isHalfOpen = false;
    for (const pair of this.#pairs) if (pair.bereft) this.#end(pair);
    this.#partition?.resolve();
    this.#partition = undefined;
  }

  /** Ends the proxy and every connection over it. */
  async close(): Promise<void> {
    this.heal();
    for (const pair of this.#pairs) this.#end(pair);
    this.#server.close();
    await once(this.#server, 'close');
  }

  /** The connections of which something is still heard. */
  #heard(): Pair[] {
    return [...this.#pairs].filter((it) => !it.silent);
  }

  #accept(client: Socket): void {
    const pair: Pair = { client, bereft: this.#isHalfOpen, silent: false };
    this.#pairs.add(pair);
    const left = () => {
      if (!pair.silent) this.#end(pair);
    };
    client.on('error', left);
    client.once('close', left);
    if (pair.bereft) client.resume();
    else void this.#join(pair);
  }

  /** Waits for the end of a partition, if there is one. */
  async #healed(): Promise<void> {
    if (this.#partition === undefined) return;
    this.#held += 1;
    await this.#partition.promise;
    this.#held -= 1;
  }

  async #join(pair: Pair): Promise<void> {
    await this.#healed();
    if (!this.#pairs.has(pair)) return;
    const upstream = connect({ ...this.#target, allowHalfOpen: true, noDelay: true });
    pair.upstream = upstream;
    upstream.on('error', () => this.#lost(pair));
    upstream.once('close', () => this.#lost(pair));
    await Promise.all([this.#pump(pair, pair.client, upstream), this.#pump(pair, upstream, pair.client)]);
  }

  /** Carries one direction, a piece at a time. */
  async #pump(pair: Pair, from: Socket, to: Socket): Promise<void> {
    try {
      for await (const piece of from) {
        if (this.#delayMs > 0) await this.#pause(this.#delayMs);
        await this.#healed();
        if (to.destroyed || pair.silent) {
          this.#lostPieces += 1;
          continue;
        }
        if (!to.write(piece)) await Promise.race([once(to, 'drain'), once(to, 'close')]);
      }
      await this.#healed();
      if (!to.destroyed && !pair.silent) to.end();
    } catch {
      // A connection that breaks is what this is about; the other end is told as the weather says.
      this.#lost(pair);
    }
  }

  /** One end is gone; the near one hears of it unless it is left in the dark. */
  #lost(pair: Pair): void {
    if (pair.bereft || pair.silent) return;
    if (this.#partition === undefined) this.#end(pair);
    // The news does not get through either.
    else void this.#partition.promise.then(() => this.#lost(pair));
  }

  #end(pair: Pair): void {
    this.#pairs.delete(pair);
    pair.client.resetAndDestroy();
    pair.upstream?.resetAndDestroy();
  }
}
