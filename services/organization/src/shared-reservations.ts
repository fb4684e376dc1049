import { coalesce, isUniqueViolation, newId } from '@stanza/runtime';
import type { Dependencies } from './dependencies.ts';
import { refusalCode } from './domain/funds.ts';
import { decide, type Outcome, refused, reservationKey, reserved, type Wanted } from './domain/reserving.ts';
import { lockAccount } from './store/accounts.ts';
import {
  addReservations,
  findReservations,
  type ReservedWish,
  reserveTogether,
} from './store/reservations.ts';

/** Requests in one statement at most. */
const maxWishes = 64;

/** Decides requests one by one under the lock of the account. */
const decideInTurn = (
  database: Dependencies['database'],
  wishes: readonly Wanted[],
  organizationId: string,
): Promise<Outcome[]> =>
  database.transaction(async (tx) => {
    const account = await lockAccount(tx, organizationId);
    if (!account) return wishes.map(() => refused('credits_not_found'));
    const operationIds = wishes.map((it) => it.operation_id);
    const found = await findReservations(tx, organizationId, operationIds);
    const known = new Map(found.map((it) => [reservationKey(it), it]));
    const { outcomes, added } = decide(wishes, account, known, newId);
    if (added.length > 0) await addReservations(tx, organizationId, added);
    return outcomes;
  });

/** The outcomes of a statement; undefined when it refused several requests together, some of which may fit alone. */
const decided = (wishes: readonly ReservedWish[]): Outcome[] | undefined => {
  const without = wishes.filter((it) => it.reservation_id === null);
  if (without.length > 1 && without.some((it) => it.overage !== null)) return undefined;
  return wishes.map(({ reservation_id, remaining_credits, overage }) => {
    if (reservation_id !== null && remaining_credits !== null)
      return reserved({ reservation_id, remaining_credits });
    return refused(overage === null ? 'credits_not_found' : refusalCode(overage));
  });
};

/** Decides requests by one statement; undefined when they must be decided one by one. */
const decideTogether = async (
  database: Dependencies['database'],
  wishes: readonly Wanted[],
  organizationId: string,
): Promise<Outcome[] | undefined> => {
  const distinct = [...new Map(wishes.map((it) => [reservationKey(it), it])).values()];
  if (distinct.length < wishes.length) return undefined;
  try {
    return decided(await reserveTogether(database, organizationId, wishes, newId));
  } catch (err) {
    if (isUniqueViolation(err, 'reservations_once')) return undefined;
    throw err;
  }
};

/** Holds credits for the messages of an operation, all or none; a repeat gets the first answer. */
export type Reserve = (wish: Wanted) => Promise<Outcome>;

/**
 * Makes the function that holds credits. Requests of one organization that arrive while others are being decided are
 * coalesced, since each statement waits for the account.
 */
export const createReserve = ({ database, metrics }: Pick<Dependencies, 'database' | 'metrics'>): Reserve =>
  coalesce<Wanted, Outcome>({
    name: 'reserve-credits',
    key: (wish) => wish.organization_id.toLowerCase(),
    maxBatch: maxWishes,
    metrics,
    run: async (wishes, organizationId) =>
      (await decideTogether(database, wishes, organizationId)) ??
      (await decideInTurn(database, wishes, organizationId)),
  });
