import type { OrganizationSettings } from '../config.ts';
import type { Dependencies } from '../dependencies.ts';
import { deleteReservations } from '../store/reservations.ts';

const dayMs = 24 * 3_600_000;

/**
 * Deletes reservations whose messages have all been settled for longer than the retention, with these outcomes. The
 * ledger keeps each charge, unique by operation: an even later outcome becomes a dead letter and charges nothing.
 */
export const forgetReservations =
  (
    { database, clock, log }: Pick<Dependencies, 'database' | 'clock' | 'log'>,
    { STANZA_RESERVATION_DAYS: days }: Pick<OrganizationSettings, 'STANZA_RESERVATION_DAYS'>,
  ) =>
  async (): Promise<void> => {
    const reservations = await deleteReservations(database, new Date(clock.now().getTime() - days * dayMs));
    if (reservations > 0) log.info({ count: reservations }, 'reservations past their retention were deleted');
  };
