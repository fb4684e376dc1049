import { metricCatalogue } from '@stanza/contracts';
import type { Dependencies } from '../dependencies.ts';
import { confirmWithinMs } from '../domain/patience.ts';
import { reverseOverdue } from '../store/charges.ts';

/**
 * Reverses unconfirmed charges. When the ledger is unreachable, so are confirmations, so charges get the full time
 * again.
 */
export const reverseCharges = ({
  database,
  clock,
  log,
  metrics,
  patience,
}: Pick<Dependencies, 'database' | 'clock' | 'log' | 'metrics' | 'patience'>) => {
  const total = metrics.counter(metricCatalogue.organization.chargesReversed);
  return async (): Promise<number> => {
    const now = clock.monotonic();
    if (!patience.isOver(now)) return 0;
    try {
      const reversed = await reverseOverdue(database, confirmWithinMs, clock.now());
      total.inc(reversed);
      if (reversed > 0) log.warn({ count: reversed }, 'unconfirmed charges were reversed');
      return reversed;
    } catch (error) {
      patience.interrupted(now);
      throw error;
    }
  };
};
