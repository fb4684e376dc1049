import { CodedError, notFound, reserveCredits as operation } from '@stanza/contracts';
import { coalesce, handle, newId } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { decide, type ReservationReply, reservationKey, type Wanted } from '../domain/reserving.ts';
import { lockAccount } from '../store/accounts.ts';
import { addReservations, findReservations } from '../store/reservations.ts';

/** Wishes decided on by one transaction at most. */
const mostWishes = 64;

/**
 * Holds credits for the messages of an operation, all or none; a repeat gets the first answer. Wishes of one
 * organization that come while others are being decided on go together, since each transaction waits for the account.
 */
export const reserveCredits = ({ database, metrics }: Pick<Dependencies, 'database' | 'metrics'>) => {
  const reserve = coalesce<Wanted, ReservationReply | CodedError>({
    name: 'reserve-credits',
    key: (wish) => wish.organization_id.toLowerCase(),
    maxBatch: mostWishes,
    metrics,
    run: (wishes, organizationId) =>
      database.transaction(async (tx) => {
        const account = await lockAccount(tx, organizationId);
        if (!account) return wishes.map(() => notFound('credit account'));
        const operationIds = wishes.map((it) => it.operation_id);
        const found = await findReservations(tx, organizationId, operationIds);
        const known = new Map(found.map((it) => [reservationKey(it), it]));
        const { outcomes, added } = decide(wishes, account, known, newId);
        if (added.length > 0) await addReservations(tx, organizationId, added);
        return outcomes;
      }),
  });
  return handle(operation, async ({ input }) => {
    const outcome = await reserve(input);
    if (outcome instanceof CodedError) throw outcome;
    const { reservation_id, remaining_credits } = outcome;
    return { reservation_id, remaining_credits };
  });
};
