import { CodedError, type MaintenanceState, metricCatalogue, setMaintenance } from '@stanza/contracts';
import { coalesce, type Database, type Logger, type Metrics } from '@stanza/runtime';
import type { Step } from '../http/request-context.ts';
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

/** @throws CodedError `maintenance` while the API is closed */
export const refuseDuring = ({ current }: Pick<Maintenance, 'current'>): void => {
  if (!current) return;
  const { message, retry_after } = current;
  throw new CodedError('maintenance', { ...(message !== null && { message }), retry_after });
};

/**
 * Refuses every request during maintenance, before any call to a service or the database; public operations stay open.
 */
export const keepClosed =
  (maintenance: Pick<Maintenance, 'current'>): Step =>
  ({ operation }) => {
    if (operation.access !== 'public') refuseDuring(maintenance);
  };

/** The maintenance mode as operators see it; without a row it has never been on. */
export const presentMaintenance = (row: MaintenanceRow | undefined): MaintenanceState => {
  const { message, retry_after } = row ?? setMaintenance.input.parse({ on: false });
  return { on: row?.is_on === true, message, retry_after, since: row?.since?.toISOString() ?? null };
};
