import type { chargeCredits, Environment, ReplyOf } from '@stanza/contracts';
import { refusalCode } from './funds.ts';

/** One compile to be charged. */
export interface Charge {
  environment: Environment;
  operation_id: string;
  template_id: string;
  actor_id: string;
}

/** The outcome of a charge. */
export type ChargeOutcome = ReplyOf<typeof chargeCredits>['outcomes'][number];

/** The state of the ledger and the account for one charge of a batch, in the batch's order. */
export interface ChargeFacts {
  /** Ledger row of the charge in force, made now or earlier. */
  credit_log_id: string | null;
  /** The charge was made now. */
  is_new: boolean;
  /** Credits without overage before the batch; null without an account. */
  remaining: number | null;
  overage: number | null;
  /** The charge is new, and its position among the new ones is within the available credits. */
  is_affordable: boolean;
}

/**
 * True when another transaction charged the same operation while this one waited for the account: the ledger refused
 * the second row, and its position may belong to another charge. The remaining charges are tried again.
 */
export const isUnsettled = (facts: ChargeFacts): boolean => facts.is_affordable && !facts.is_new;

/** Turns facts into outcomes; `remaining_credits` counts the earlier charges of the batch and the charge itself. */
export const outcomesOf = (batch: readonly ChargeFacts[]): ChargeOutcome[] => {
  let spent = 0;
  return batch.map((facts): ChargeOutcome => {
    if (facts.remaining === null || facts.overage === null)
      return { charged: false, code: 'credits_not_found' };
    if (facts.is_new) spent += 1;
    if (facts.credit_log_id === null) return { charged: false, code: refusalCode(facts.overage) };
    return { charged: true, credit_log_id: facts.credit_log_id, remaining_credits: facts.remaining - spent };
  });
};
