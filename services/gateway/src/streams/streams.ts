import type { ServerResponse } from 'node:http';
import { CodedError, limits } from '@stanza/contracts';
import type { Clock, Logger, Turns } from '@stanza/runtime';
import type { GatewayMetrics } from '../metrics.ts';
import { type EndReason, type Followed, follow } from './follow.ts';
import { Looks, looksOfSecond } from './looks.ts';
import { SharedReads } from './shared-reads.ts';

/** Clients come back after this many milliseconds, and up to twice as many: not all at once. */
const retryMs = 1_000;

/** Streams end between three quarters of their lifetime and its end, so that those that began together do not end so. */
const shortestLife = 0.75;

/** Options of {@link Streams}. */
export interface StreamsOptions {
  /** Streams that this gateway has open at most. */
  most: number;
  /** Seconds that a stream lives at most. */
  lifetimeS: number;
  /** See {@link streamReadTurns}. */
  readTurns: Pick<Turns, 'run'>;
  clock: Clock;
  log: Logger;
  metrics: Pick<GatewayMetrics, 'streams' | 'streamEnds'>;
}

/** A place among the open streams. */
export interface StreamPlace {
  leave(): void;
}

/** The open streams of a gateway: how many there may be, when they look at the log, and when they end. */
export class Streams {
  readonly reads: SharedReads;
  readonly #options: StreamsOptions;
  readonly #held = new Map<string, number>();
  #open = 0;
  readonly #looks = new Looks();
  #isClosed = false;
  /** Runs while a stream is open: without one a gateway sleeps. */
  #looking: NodeJS.Timeout | undefined;

  constructor(options: StreamsOptions) {
    this.#options = options;
    this.reads = new SharedReads(options.readTurns);
    options.metrics.streams.set(0);
  }

  /**
   * Takes a place for a stream of an organization.
   * @throws CodedError where the gateway or the organization has too many, or the gateway stops
   */
  take(organizationId: string): StreamPlace {
    const held = this.#held.get(organizationId) ?? 0;
    if (this.#isClosed || this.#open >= this.#options.most) {
      const message = 'The gateway can open no further stream at the moment; nothing was done.';
      throw new CodedError('service_unavailable', { message, retry_after: 1, nothing_done: true });
    }
    if (held >= limits.streams) {
      const message = `The organization has ${limits.streams} streams open at this gateway already.`;
      throw new CodedError('too_many_streams', { message, retry_after: 5 });
    }
    this.#held.set(organizationId, held + 1);
    this.#count(1);
    let isLeft = false;
    return {
      leave: () => {
        if (isLeft) return;
        isLeft = true;
        const rest = (this.#held.get(organizationId) ?? 1) - 1;
        if (rest === 0) this.#held.delete(organizationId);
        else this.#held.set(organizationId, rest);
        this.#count(-1);
      },
    };
  }

  /** Lets some streams look at the log, see {@link Looks}; it is called by itself while a stream is open. */
  look(): void {
    this.#looks.pass();
  }

  /** Ends every stream, and opens none any more. */
  close(): void {
    this.#isClosed = true;
    this.#looks.passAll();
  }

  /** Writes a stream to its client until it ends. */
  async follow(response: ServerResponse, followed: Followed): Promise<void> {
    const { clock, lifetimeS, metrics, log } = this.#options;
    const life = shortestLife + Math.random() * (1 - shortestLife);
    const closed = new Promise<void>((resolve) => response.once('close', resolve));
    try {
      const reason = await follow(response, followed, {
        clock,
        next: (isBehind) =>
          this.#isClosed
            ? Promise.resolve()
            : Promise.race([this.#looks.next(followed.asked, isBehind), closed]),
        lifetimeMs: lifetimeS * 1_000 * life,
        retryMs: () => Math.round(retryMs * (1 + Math.random())),
        ending: (): EndReason | undefined => (this.#isClosed ? 'shutdown' : undefined),
      });
      metrics.streamEnds.inc({ reason });
    } catch (err) {
      log.error({ err }, 'a stream broke');
      response.destroy();
    }
  }

  #count(by: number): void {
    this.#open += by;
    this.#options.metrics.streams.set(this.#open);
    if (this.#open > 0) this.#looking ??= setInterval(() => this.look(), 1_000 / looksOfSecond).unref();
    else {
      clearInterval(this.#looking);
      this.#looking = undefined;
    }
  }
}
