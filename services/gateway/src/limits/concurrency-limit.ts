import { CodedError } from '@stanza/contracts';
import type { GatewayMetrics } from '../metrics.ts';

/** Seconds after which a place is likely to be free again. */
const retryAfter = 1;

const refusal = (message: string): CodedError =>
  new CodedError('service_unavailable', { message, retry_after: retryAfter, nothing_done: true });

/** The place of one request that is being worked on. */
export interface Place {
  /**
   * Says for whom the request is.
   * @throws CodedError `service_unavailable` when they hold as many places as are free
   */
  share(holder: string): void;
  /** Gives it back; once or more often. */
  leave(): void;
}

/**
 * The requests that a gateway works on at one time. Beyond their number a request is refused at once, because waiting
 * would only make all of them late.
 *
 * Nobody may hold more places than are free, so one organization alone gets half of them, two get a third each, and
 * whoever comes next finds some left.
 */
export class ConcurrencyLimit {
  readonly #limit: number;
  readonly #metrics: Pick<GatewayMetrics, 'crowded'>;
  readonly #held = new Map<string, number>();
  #taken = 0;

  constructor(limit: number, metrics: Pick<GatewayMetrics, 'crowded'>) {
    this.#limit = limit;
    this.#metrics = metrics;
  }

  /** Places that are taken. */
  get taken(): number {
    return this.#taken;
  }

  /**
   * Takes a place for a request of whom nobody knows yet.
   * @throws CodedError `service_unavailable` when there is none
   */
  take(): Place {
    if (this.#taken >= this.#limit) {
      this.#metrics.crowded.inc({ reason: 'full' });
      throw refusal('The gateway has too much to do at the moment; nothing was done.');
    }
    this.#taken += 1;
    let holder: string | undefined;
    let isLeft = false;
    return {
      share: (name) => {
        this.#hold(name);
        holder = name;
      },
      leave: () => {
        if (isLeft) return;
        isLeft = true;
        this.#taken -= 1;
        if (holder !== undefined) this.#release(holder);
      },
    };
  }

  #hold(holder: string): void {
    const held = (this.#held.get(holder) ?? 0) + 1;
    if (held > this.#limit - this.#taken) {
      this.#metrics.crowded.inc({ reason: 'share' });
      throw refusal('Too many requests of the organization are being worked on; nothing was done.');
    }
    this.#held.set(holder, held);
  }

  #release(holder: string): void {
    const held = (this.#held.get(holder) ?? 0) - 1;
    if (held > 0) this.#held.set(holder, held);
    else this.#held.delete(holder);
  }
}
