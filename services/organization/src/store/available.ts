/**
 * Credits that may be spent, overage included, in SQL over `credit_accounts`: the rule of `available` in `domain/funds.ts`.
 */
export const available = 'balance - reserved + overage';
