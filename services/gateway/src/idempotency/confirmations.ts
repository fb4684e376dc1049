import { confirmCharges } from '@stanza/contracts';
import { type Logger, newContext, type RpcClient } from '@stanza/runtime';

/** Operations confirmed by one call. */
const batchSize = 1_000;
/** Timeout of a call, milliseconds. */
const confirmMs = 5_000;
/** Milliseconds until a failed confirmation is retried. */
const retryMs = 500;
/** Operations kept for confirmation while the organization service is unavailable; beyond it the oldest are dropped. */
const maxWaiting = 200_000;

/**
 * Confirms the charges of sent answers at the organization service. Confirmations of one turn of the event loop go
 * together in one call, after their responses are written. Failed ones are kept and retried. A lost confirmation costs
 * the operator a credit, never the customer.
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

  /** Records that the answer of an operation has been sent. */
  add(operationId: string): void {
    this.#waiting.push(operationId);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => this.#tell());
  }

  /** Sends the remaining confirmations and waits for those in flight; for shutdown. */
  async flush(): Promise<void> {
    await Promise.all(this.#running);
    this.#tell();
    await Promise.all(this.#running);
  }

  #tell(): void {
    this.#isScheduled = false;
    while (this.#waiting.length > 0) this.#run(this.#tellBatch());
  }

  #run(work: Promise<unknown>): void {
    const running: Promise<void> = work.then(() => void this.#running.delete(running));
    this.#running.add(running);
  }

  /** Tells the oldest ones. False where they could not be told, and wait again. */
  async #tellBatch(): Promise<boolean> {
    const operation_ids = this.#waiting.splice(0, batchSize);
    try {
      await this.#rpc.call(confirmCharges, { operation_ids }, newContext({ deadlineMs: confirmMs }));
      return true;
    } catch (error) {
      this.#log.warn({ err: error, count: operation_ids.length }, 'charges could not be confirmed yet');
      this.#keep(operation_ids);
      return false;
    }
  }

  /** Nothing else is told in the meantime: one batch finds out whether the service is there again, for all of them. */
  async #tryAgain(): Promise<void> {
    if (await this.#tellBatch()) this.#tell();
    else this.#later();
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
    this.#later();
  }

  #later(): void {
    setTimeout(() => this.#run(this.#tryAgain()), retryMs).unref();
  }
}
