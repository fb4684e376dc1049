import { metricCatalogue } from '@stanza/contracts';
import { coalesce, type Database, type Logger, type Metrics } from '@stanza/runtime';
import { readMaintenance } from '../store/maintenance.ts';
import type { MaintenanceRow } from '../store/tables.ts';

/** The maintenance mode as known to this gateway. */
export class Maintenance {
  readonly #log: Logger;
  /** Reads are serialized: an older result never replaces a newer one, and a caller gets a read made after its call. */
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

  /** The message for callers while the API is closed; undefined while it is open. */
  get current(): Pick<MaintenanceRow, 'message' | 'retry_after'> | undefined {
    return this.#row?.is_on ? this.#row : undefined;
  }

  /**
   * Reads it again.
   * @throws the database error; the last known state stays
   */
  load(): Promise<void> {
    return this.#read(undefined);
  }

  /** Reads it in the background, since an event may have been missed. */
  reload(): void {
    this.load().catch((err: unknown) => {
      this.#log.warn({ err }, 'the maintenance mode could not be read');
    });
  }
}
