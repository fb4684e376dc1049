import { rateNames, rates } from '@stanza/contracts';
import type { Database } from '@stanza/runtime';
import { sweepRateCounters } from '../store/rate-counters.ts';

/** Seconds without a request after which a counter is empty; twice the longest window. */
const unusedSeconds = 2 * Math.max(...rateNames.map((name) => rates[name].seconds));

/** Deletes the counters of organizations without recent requests. Every gateway does it. */
export const sweepRates =
  ({ database }: { database: Database }) =>
  async (): Promise<void> => {
    await sweepRateCounters(database, unusedSeconds);
  };
