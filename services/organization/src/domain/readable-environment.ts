import { type Environment, isPreviewKey, type Principal } from '@stanza/contracts';
import { denied } from './errors.ts';

/** A key of preview reads its own rows of the ledger; the account belongs to the whole organization. */
export const ledgerReach = (principal: Principal): 'preview' | 'all' =>
  isPreviewKey(principal) ? 'preview' : 'all';

/**
 * The environment whose rows a caller reads in a log shared by both; undefined for the whole organization. A key of
 * preview reads preview only; a key of production and a session read the named environment, or both.
 * @throws CodedError `access_denied` for a key of preview that names production
 */
export const readableEnvironment = (
  principal: Principal,
  named?: Environment | undefined,
): Environment | undefined => {
  if (!isPreviewKey(principal)) return named;
  if (named === undefined || named === principal.environment) return principal.environment;
  throw denied(`A key of preview reads entries of preview only, not of ${named}.`, principal);
};
