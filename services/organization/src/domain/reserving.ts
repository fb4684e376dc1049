import type { InputOf, ReplyOf, reserveCredits, reserveTogether } from '@stanza/contracts';
import { available, type Funds, refusalCode } from './funds.ts';

/** A request of an operation to hold credits. */
export type Wanted = InputOf<typeof reserveCredits>;

/** The answer to a reservation, the same for every repeat of its operation. */
export interface ReservationReply {
  reservation_id: string;
  /** Credits without overage once all reserved messages are charged. */
  remaining_credits: number;
}

/** The outcome of a request: a reservation, or why there is none. */
export type Outcome = ReplyOf<typeof reserveTogether>['outcomes'][number];

/** The outcome with a reservation. */
export const reserved = ({ reservation_id, remaining_credits }: ReservationReply): Outcome => ({
  reserved: true,
  reservation_id,
  remaining_credits,
});

/** The outcome without one. */
export const refused = (code: Extract<Outcome, { reserved: false }>['code']): Outcome => ({
  reserved: false,
  code,
});

/** Credits to be held for the messages of an operation. */
export type NewReservation = Omit<Wanted, 'organization_id'> & ReservationReply;

/** The decisions on a group of requests of one organization. */
export interface Decision {
  /** One for each request, in order. */
  outcomes: Outcome[];
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
  let { reserved: held } = funds;
  const outcomes = wishes.map(({ organization_id: _, ...wish }): Outcome => {
    const key = reservationKey(wish);
    const before = answered.get(key);
    if (before) return reserved(before);
    if (wish.amount > available({ ...funds, reserved: held })) return refused(refusalCode(funds.overage));
    held += wish.amount;
    const reply = { reservation_id: newId(), remaining_credits: funds.balance - held };
    added.push({ ...wish, ...reply });
    answered.set(key, reply);
    return reserved(reply);
  });
  return { outcomes, added };
};
