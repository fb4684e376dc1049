import { setTimeout as pause } from 'node:timers/promises';
import { exportAuditLog } from '@stanza/contracts';
import type { Api } from '../kit/api.ts';

/** Milliseconds between two looks. */
const restMs = 500;

/** Reads the audit logs of organizations to their ends, and on, as a collector does. */
export class Auditor {
  /** The entries that the exports have shown. */
  readonly exported = new Set<string>();
  readonly #ending = new AbortController();
  readonly #reading: Promise<unknown>;

  constructor(apis: readonly Api[]) {
    this.#reading = Promise.all(apis.map((api) => this.#read(api)));
  }

  /** Waits until the exports have shown these, or have shown nothing new for a while; then ends. */
  async end(
    expected: readonly string[],
    waitUntil: (done: () => boolean) => Promise<boolean>,
  ): Promise<void> {
    await waitUntil(() => expected.every((id) => this.exported.has(id)));
    this.#ending.abort();
    await this.#reading;
  }

  async #read(api: Api): Promise<void> {
    let cursor: string | undefined;
    while (!this.#ending.signal.aborted) {
      try {
        const query: Record<string, string> = cursor === undefined ? {} : { cursor };
        const { data, next_cursor } = await api.ok(exportAuditLog, { query });
        for (const { id } of data) this.exported.add(id);
        cursor = next_cursor ?? cursor;
      } catch (error) {
        // What is broken in the meantime is asked for again: the cursor says where it was.
        if (this.#ending.signal.aborted) console.error(`The export of an audit log failed: ${String(error)}`);
      }
      await pause(restMs);
    }
  }
}
