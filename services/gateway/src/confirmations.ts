import { confirmCharges } from '@stanza/contracts';
import { type Logger, newContext, type RpcClient } from '@stanza/runtime';

/** Operations confirmed by one call. */
const batchSize = 1_000;
/** Milliseconds until a failed confirmation is tried again. */
const retryMs = 500;
/** Operations kept for confirmation while the organization service is away; beyond it the oldest are given up. */
const maxWaiting = 200_000;

/**
 * Tells the organization service which answers have left, so that their charges become final. Called after the
 * response was written; what is written in one turn of the loop is confirmed by one call. Until a call succeeds its
 * operations are kept and told again. A confirmation lost for good costs the operator a credit, never the customer.
 */
export class Confirmations {
  readonly #rpc: RpcClient;
  readonly #log: Logger;
  #waiting: string[] = [];
  #scheduled = false;
  #running = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(rpc: RpcClient, log: Logger) {
    this.#rpc = rpc;
    this.#log = log;
  }

  /** The answer of this operation has left. */
  add(operationId: string): void {
    this.#waiting.push(operationId);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => void this.#flush());
  }

  /** Tells what is still to be told; for shutdown. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#flush();
  }

  async #flush(): Promise<void> {
    this.#scheduled = false;
    const batch = this.#waiting.splice(0, batchSize);
    if (batch.length === 0) return;
    this.#running += 1;
    try {
      await this.#rpc.call(confirmCharges, { operation_ids: batch }, newContext({ deadlineMs: 5_000 }));
    } catch (error) {
      this.#log.warn({ err: error, operations: batch.length }, 'charges could not be confirmed yet');
      this.#keep(batch);
    } finally {
      this.#running -= 1;
    }
    if (this.#waiting.length >= batchSize) await this.#flush();
  }

  #keep(batch: string[]): void {
    this.#waiting = [...batch, ...this.#waiting];
    const excess = this.#waiting.length - maxWaiting;
    if (excess > 0) {
      this.#waiting.splice(0, excess);
      this.#log.error({ operations: excess }, 'gave up confirming charges: they will be reversed');
    }
    this.#scheduled = true;
    this.#timer = setTimeout(() => void this.#flush(), retryMs);
    this.#timer.unref();
  }
}
