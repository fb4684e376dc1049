import { type Environment, isPreviewKey, type Principal } from '@stanza/contracts';
import { denied } from './errors.ts';

/** A key of preview reads its own rows of the ledger; the account is that of the whole organization. */
export const ledgerReach = (principal: Principal): 'preview' | 'all' =>
  isPreviewKey(principal) ? 'preview' : 'all';

/**
 * The environment whose records a caller reads in a log that both share; undefined: those
 * of the whole organization. A key of preview reads those of preview alone; a key of production and a session read what
 * they name, or all.
 * @throws CodedError `access_denied` for a key of preview that names production
 */
export const readableEnvironment = (
  principal: Principal,
  named?: Environment | undefined,
): Environment | undefined => {
  if (!isPreviewKey(principal)) return named;
  if (named === undefined || named === principal.environment) return principal.environment;
  throw denied(`A key of preview reads what happened in preview alone, and not in ${named}.`, principal);
};
