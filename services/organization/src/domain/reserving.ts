import { CodedError, type InputOf, type reserveCredits } from '@stanza/contracts';
import { available, type Funds, refusalCode } from './funds.ts';

/** A request of an operation to hold credits. */
export type Wanted = InputOf<typeof reserveCredits>;

/** The answer to a reservation, the same for every repeat of its operation. */
export interface ReservationReply {
  reservation_id: string;
  /** Credits without overage once all reserved messages are charged. */
  remaining_credits: number;
}

/** Credits to be held for the messages of an operation. */
export type NewReservation = Omit<Wanted, 'organization_id'> & ReservationReply;

/** The decisions on a group of requests of one organization. */
export interface Decision {
  /** One for each request, in order. */
  outcomes: (ReservationReply | CodedError)[];
  /** Reservations to be written. */
  added: NewReservation[];
}

/** The key of a tenant's operation; ids are compared in their stored form. */
export const reservationKey = ({
  environment,
  operation_id,
}: Pick<Wanted, 'environment' | 'operation_id'>): string => `${environment} ${operation_id.toLowerCase()}`;

/**
 * Decides on requests in order, as if each had come alone: all or nothing. A repeat gets the first answer, and a
 * request that exceeds the credits does not block smaller ones.
 */
export const decide = (
  wishes: readonly Wanted[],
  funds: Funds,
  known: ReadonlyMap<string, ReservationReply>,
  newId: () => string,
): Decision => {
  const answered = new Map(known);
  const added: NewReservation[] = [];
  let { reserved } = funds;
  const outcomes = wishes.map(({ organization_id: _, ...wish }): ReservationReply | CodedError => {
    const key = reservationKey(wish);
    const before = answered.get(key);
    if (before) return before;
    if (wish.amount > available({ ...funds, reserved })) return new CodedError(refusalCode(funds.overage));
    reserved += wish.amount;
    const reply = { reservation_id: newId(), remaining_credits: funds.balance - reserved };
    added.push({ ...wish, ...reply });
    answered.set(key, reply);
    return reply;
  });
  return { outcomes, added };
};
