import { confirmCharges } from '@stanza/contracts';
import { type Logger, newContext, type RpcClient } from '@stanza/runtime';

/** Operations confirmed by one call. */
const batchSize = 1_000;
/** Milliseconds for one call. */
const confirmMs = 5_000;
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
  readonly #rpc: Pick<RpcClient, 'call'>;
  readonly #log: Logger;
  readonly #running = new Set<Promise<void>>();
  #waiting: string[] = [];
  #isScheduled = false;

  constructor(rpc: Pick<RpcClient, 'call'>, log: Logger) {
    this.#rpc = rpc;
    this.#log = log;
  }

  /** The answer of this operation has left. */
  add(operationId: string): void {
    this.#waiting.push(operationId);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => this.#tell());
  }

  /** Tells what is still to be told, and waits for what is being told; for shutdown. */
  async flush(): Promise<void> {
    await Promise.all(this.#running);
    this.#tell();
    await Promise.all(this.#running);
  }

  #tell(): void {
    this.#isScheduled = false;
    while (this.#waiting.length > 0) {
      const telling = this.#tellBatch(this.#waiting.splice(0, batchSize)).finally(() =>
        this.#running.delete(telling),
      );
      this.#running.add(telling);
    }
  }

  async #tellBatch(operation_ids: string[]): Promise<void> {
    try {
      await this.#rpc.call(confirmCharges, { operation_ids }, newContext({ deadlineMs: confirmMs }));
    } catch (error) {
      this.#log.warn({ err: error, count: operation_ids.length }, 'charges could not be confirmed yet');
      this.#keep(operation_ids);
    }
  }

  #keep(batch: string[]): void {
    this.#waiting = [...batch, ...this.#waiting];
    const excess = this.#waiting.length - maxWaiting;
    if (excess > 0) {
      this.#waiting.splice(0, excess);
      this.#log.error({ count: excess }, 'gave up confirming charges: they will be reversed');
    }
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setTimeout(() => this.#tell(), retryMs).unref();
  }
}
