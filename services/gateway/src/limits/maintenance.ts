import { metricCatalogue } from '@stanza/contracts';
import { coalesce, type Database, type Logger, type Metrics } from '@stanza/runtime';
import { readMaintenance } from '../store/maintenance.ts';
import type { MaintenanceRow } from '../store/rows.ts';

/** What this gateway knows of the maintenance mode. */
export class Maintenance {
  readonly #log: Logger;
  /** Reads in turn: an older answer never comes after a newer one, and who asks gets one read after the question. */
  readonly #read: (wanted: undefined) => Promise<void>;
  #row: MaintenanceRow | undefined;

  constructor({ database, log, metrics }: { database: Database; log: Logger; metrics: Metrics }) {
    this.#log = log;
    this.#read = coalesce<undefined, void>({
      name: 'maintenance',
      key: () => 'maintenance',
      maxBatch: 1_000,
      run: async (wanted) => {
        this.#row = await readMaintenance(database);
        return wanted.map(() => undefined);
      },
    });
    metrics.gauge(metricCatalogue.gateway.maintenance, (gauge) => gauge.set(this.current ? 1 : 0));
  }

  /** What callers are told while the API is closed; undefined while it is open. */
  get current(): Pick<MaintenanceRow, 'message' | 'retry_after'> | undefined {
    return this.#row?.is_on ? this.#row : undefined;
  }

  /**
   * Reads it again.
   * @throws what the database throws; what was known stays
   */
  load(): Promise<void> {
    return this.#read(undefined);
  }

  /** The same for when nobody waits: an event may have been missed. */
  reload(): void {
    this.load().catch((err: unknown) => {
      this.#log.warn({ err }, 'the maintenance mode could not be read');
    });
  }
}
