import { type InputOf, metricCatalogue, chargeCredits as operation, type ReplyOf } from '@stanza/contracts';
import { coalesce, handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { chargeBatch } from '../store/charges.ts';

type Input = InputOf<typeof operation>;
type Reply = ReplyOf<typeof operation>;

/** Calls charged by one statement at most; each carries its own batch. */
const maxCalls = 32;

/**
 * Charges compiles. Calls for one organization that arrive while one is being charged are coalesced, so a busy
 * organization waits for its account on one connection and leaves the others free.
 */
export const chargeCredits = ({
  database,
  clock,
  metrics,
}: Pick<Dependencies, 'database' | 'clock' | 'metrics'>) => {
  const results = metrics.counter(metricCatalogue.organization.charges);
  const charge = coalesce<Input, Reply>({
    name: 'charge-credits',
    key: (call) => call.organization_id,
    maxBatch: maxCalls,
    metrics,
    run: async (calls, organizationId) => {
      const charges = calls.flatMap((call) => call.charges);
      const outcomes = await chargeBatch(database, organizationId, charges, clock.now());
      for (const outcome of outcomes) results.inc({ outcome: outcome.charged ? 'charged' : outcome.code });
      let next = 0;
      return calls.map((call) => {
        const own = outcomes.slice(next, next + call.charges.length);
        next += call.charges.length;
        return { outcomes: own };
      });
    },
  });
  return handle(operation, ({ input }) => charge(input));
};
