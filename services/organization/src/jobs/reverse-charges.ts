import { metricCatalogue } from '@stanza/contracts';
import { isLockTimeout } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { confirmWithinMs } from '../domain/confirmation-window.ts';
import { longOverdueAfter, nextOverdue, reverseOverdue, reverseOverdueOf } from '../store/charges.ts';

/** Milliseconds for which the charges of a held account are passed over before a reversal waits for it. */
const passedOverMs = 5_000;

type Needed = Pick<Dependencies, 'database' | 'clock' | 'log' | 'metrics' | 'confirmationWindow'>;

/** Finds the time until the next charge is to be reversed, or until the time for delayed confirmations is over. */
export const nextReversal = ({
  database,
  clock,
  confirmationWindow,
}: Pick<Needed, 'database' | 'clock' | 'confirmationWindow'>): (() => Promise<number | undefined>) => {
  const next = nextOverdue(confirmWithinMs);
  return async () => {
    const leftMs = confirmationWindow.leftMs(clock.monotonic());
    return leftMs > 0 ? leftMs : next(database);
  };
};

/**
 * Reverses unconfirmed charges. Accounts that are held are passed over. An account that many charge may be held at each
 * look, so one organization at a time whose charges are long overdue is waited for. When the ledger is unreachable, so are
 * confirmations, so charges get the full time again.
 */
export const reverseCharges = ({ database, clock, log, metrics, confirmationWindow }: Needed) => {
  const total = metrics.counter(metricCatalogue.organization.chargesReversed);
  let waitedFor: string | undefined;
  const waitForOne = async (): Promise<number> => {
    const organizationId = await longOverdueAfter(database, waitedFor, confirmWithinMs + passedOverMs);
    if (organizationId === undefined) return 0;
    waitedFor = organizationId;
    try {
      return await reverseOverdueOf(database, organizationId, confirmWithinMs, clock.now());
    } catch (err) {
      if (!isLockTimeout(err)) throw err;
      log.info({ err, organization_id: organizationId }, 'charges were not reversed: their account is held');
      return 0;
    }
  };
  return async (): Promise<number> => {
    const now = clock.monotonic();
    if (!confirmationWindow.isOver(now)) return 0;
    try {
      const reversed = (await reverseOverdue(database, confirmWithinMs, clock.now())) + (await waitForOne());
      total.inc(reversed);
      if (reversed > 0) log.warn({ count: reversed }, 'unconfirmed charges were reversed');
      return reversed;
    } catch (error) {
      confirmationWindow.interrupted(now);
      throw error;
    }
  };
};
