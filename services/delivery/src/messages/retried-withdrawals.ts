import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '@stanza/runtime';

/** Milliseconds until a failed write is retried, and as many again at most: an outage is often over by then. */
const delayMs = 5_000;
/** Writes that wait for their retry at most; further ones are left to `end-abandoned-messages`. */
const maxWaiting = 500;

/** The withdrawal of an operation that a request began, and how to do it again. */
export interface Withdrawal {
  /** The first try. */
  first: Promise<void>;
  /** The same write; it has the same effect twice as once. */
  again: () => Promise<void>;
  operationId: string;
  log: Logger;
}

/**
 * Withdrawals of operations. Each is retried once in the background when it fails, after its request was answered.
 * Sweeps would release the credits as well; here it happens sooner.
 */
export class RetriedWithdrawals {
  readonly #running = new Set<Promise<void>>();
  #stopWaiting = new AbortController();

  /** Retries a write once when it fails; resolves when the first try has ended, either way. */
  async add(write: Withdrawal): Promise<void> {
    const running = this.#follow(write).finally(() => this.#running.delete(running));
    this.#running.add(running);
    await Promise.allSettled([write.first]);
  }

  /** Does at once what waits for its retry, and resolves once all has ended. */
  async finish(): Promise<void> {
    this.#stopWaiting.abort();
    while (this.#running.size > 0) await Promise.all(this.#running);
    this.#stopWaiting = new AbortController();
  }

  async #follow({ first, again, operationId: operation_id, log }: Withdrawal): Promise<void> {
    try {
      return await first;
    } catch (err) {
      if (this.#running.size > maxWaiting) {
        log.error({ err, operation_id }, 'an operation could not be withdrawn');
        return;
      }
      log.warn({ err, operation_id }, 'an operation could not be withdrawn; it is retried');
    }
    await this.#wait(delayMs * (1 + Math.random()));
    try {
      await again();
    } catch (err) {
      log.error({ err, operation_id }, 'an operation could not be withdrawn');
    }
  }

  async #wait(milliseconds: number): Promise<void> {
    const { signal } = this.#stopWaiting;
    try {
      await pause(milliseconds, undefined, { signal, ref: false });
    } catch (err) {
      if (!signal.aborted) throw err;
    }
  }
}
