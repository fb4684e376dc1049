import { CodedError, type InputOf, type reserveCredits } from '@stanza/contracts';
import { refusalCode } from './charges.ts';

/** What an operation asks to be held. */
export type Wanted = InputOf<typeof reserveCredits>;

/** The answer that a reservation is given, each time its operation asks. */
export interface ReservationReply {
  reservation_id: string;
  /** Credits without overage when all of it will have been charged. */
  remaining_credits: number;
}

/** Credits to be held for the messages of an operation. */
export type NewReservation = Omit<Wanted, 'organization_id'> & ReservationReply;

/** What an account has, as far as holding credits goes. */
export interface Funds {
  balance: number;
  reserved: number;
  overage: number;
}

/** What becomes of a group of wishes of one organization. */
export interface Decision {
  /** One for each wish, in order. */
  outcomes: (ReservationReply | CodedError)[];
  /** To be written. */
  added: NewReservation[];
}

/** Names an operation of a tenant; ids are compared as they are stored. */
export const reservationKey = ({
  environment,
  operation_id,
}: Pick<Wanted, 'environment' | 'operation_id'>): string => `${environment} ${operation_id.toLowerCase()}`;

/**
 * Decides on wishes one after the other, as if each had come alone: all of it or nothing, a repeat gets the first
 * answer, and one that is too large stands in nobody's way.
 */
export const decide = (
  wishes: readonly Wanted[],
  { balance, reserved, overage }: Funds,
  known: ReadonlyMap<string, ReservationReply>,
  newId: () => string,
): Decision => {
  const answered = new Map(known);
  const added: NewReservation[] = [];
  let left = balance - reserved;
  const outcomes = wishes.map(({ organization_id: _, ...wish }): ReservationReply | CodedError => {
    const key = reservationKey(wish);
    const before = answered.get(key);
    if (before) return before;
    if (left - wish.amount + overage < 0) return new CodedError(refusalCode(overage));
    left -= wish.amount;
    const reply = { reservation_id: newId(), remaining_credits: left };
    added.push({ ...wish, ...reply });
    answered.set(key, reply);
    return reply;
  });
  return { outcomes, added };
};
