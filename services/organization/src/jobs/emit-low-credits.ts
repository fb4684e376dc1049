import { creditsLow, type EmittedEvent, environments } from '@stanza/contracts';
import { emitEvent, type Transaction } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { findLowCredits, type LowAccount, lowThreshold, markLow, unmarkLow } from '../store/low-credits.ts';

/** Emits an event where the credits of an organization have fallen below the threshold of its tier, once each time. */
export const emitLowCredits = ({
  database,
  outbox,
  tiers,
}: Pick<Dependencies, 'database' | 'outbox' | 'tiers'>) => {
  /** Both environments draw on the account. */
  const emit = async (tx: Transaction, account: LowAccount): Promise<void> => {
    const { organization_id, tier, remaining, overage, low_since } = account;
    for (const environment of environments) {
      const event: EmittedEvent = {
        organization_id,
        environment,
        type: creditsLow.type,
        subject: organization_id,
        created_at: low_since.toISOString(),
        data: {
          remaining_credits: remaining,
          threshold: lowThreshold(tiers, tier),
          overage,
          tier,
          monthly_credits: tiers[tier].monthly_credits,
        },
      };
      await emitEvent(tx, outbox, event, true);
    }
  };
  const emitSome = (): Promise<number> =>
    database.transaction(async (tx) => {
      const accounts = await markLow(tx, tiers);
      for (const account of accounts) await emit(tx, account);
      return accounts.length;
    });
  return async (): Promise<void> => {
    // Mostly nothing has changed, which one statement finds.
    const { is_any_low, is_any_restored } = await findLowCredits(database, tiers);
    if (is_any_restored) await unmarkLow(database, tiers);
    if (is_any_low) while ((await emitSome()) > 0);
  };
};
