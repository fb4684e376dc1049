import type { OrganizationSettings } from '../config.ts';
import type { Dependencies } from '../dependencies.ts';
import { deleteReservations } from '../store/reservations.ts';

/**
 * Deletes reservations whose messages have all been settled for longer than the retention, with these outcomes. The
 * ledger keeps each charge, unique by operation: an even later outcome becomes a dead letter and charges nothing.
 */
export const forgetReservations =
  (
    { database, log }: Pick<Dependencies, 'database' | 'log'>,
    { STANZA_RESERVATION_DAYS: days }: Pick<OrganizationSettings, 'STANZA_RESERVATION_DAYS'>,
  ) =>
  async (): Promise<void> => {
    const reservations = await deleteReservations(database, days);
    if (reservations > 0) log.info({ count: reservations }, 'reservations past their retention were deleted');
  };
