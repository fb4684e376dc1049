import type { chargeCredits, Environment, ReplyOf } from '@stanza/contracts';

/** One compile to be charged. */
export interface Charge {
  environment: Environment;
  operation_id: string;
  template_id: string;
  actor_id: string;
}

/** What became of a charge. */
export type ChargeOutcome = ReplyOf<typeof chargeCredits>['outcomes'][number];

/** What the ledger and the account say about one charge of a batch, in the batch's order. */
export interface ChargeFacts {
  /** Row of the charge that stands, made now or before. */
  credit_log_id: string | null;
  /** The charge was made now. */
  is_new: boolean;
  /** Credits without overage before the batch; null when there is no account. */
  remaining: number | null;
  /** Credits with overage before the batch. */
  available: number | null;
  overage: number | null;
  /** Place among the charges that were not known before, from 1; null for one that stands already. */
  rank: number | null;
}

/** The code that refuses to spend more than there is: it tells whether the tier has an overage that could be used up. */
export const refusalCode = (overage: number): 'insufficient_credits' | 'overage_limit_exceeded' =>
  overage > 0 ? 'overage_limit_exceeded' : 'insufficient_credits';

/**
 * True when another transaction charged the same operation while this one waited for the account: the ledger refused
 * the second row, and the place that it took may belong to another charge. The rest must be tried again.
 */
export const isUnsettled = (facts: ChargeFacts): boolean =>
  facts.rank !== null && facts.available !== null && facts.rank <= facts.available && !facts.is_new;

/** Turns facts into outcomes; `remaining_credits` counts the charges before and the charge itself. */
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
