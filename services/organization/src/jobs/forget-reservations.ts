import type { OrganizationSettings } from '../config.ts';
import type { Dependencies } from '../dependencies.ts';
import { deleteReservations } from '../store/reservations.ts';

const dayMs = 24 * 3_600_000;

/**
 * Deletes reservations whose messages have all had their outcome for long, and these outcomes. The ledger keeps each
 * charge, once for each operation: an outcome that comes later still is a dead letter, and charges nothing.
 */
export const forgetReservations =
  (
    { database, clock, log }: Pick<Dependencies, 'database' | 'clock' | 'log'>,
    { STANZA_RESERVATION_DAYS: days }: Pick<OrganizationSettings, 'STANZA_RESERVATION_DAYS'>,
  ) =>
  async (): Promise<void> => {
    const reservations = await deleteReservations(database, new Date(clock.now().getTime() - days * dayMs));
    if (reservations > 0) log.info({ count: reservations }, 'old reservations were deleted');
  };
