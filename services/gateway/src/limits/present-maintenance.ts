import { type MaintenanceState, setMaintenance } from '@stanza/contracts';
import type { MaintenanceRow } from '../store/tables.ts';

/** The maintenance mode as operators see it; without a row it has never been on. */
export const presentMaintenance = (row: MaintenanceRow | undefined): MaintenanceState => {
  const { message, retry_after } = row ?? setMaintenance.input.parse({ on: false });
  return { on: row?.is_on === true, message, retry_after, since: row?.since?.toISOString() ?? null };
};
