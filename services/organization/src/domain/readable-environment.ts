import { type Environment, isForPreview, type Principal } from '@stanza/contracts';
import { denied } from './errors.ts';

/** A key or token of preview reads its own rows of the ledger; the account belongs to the whole organization. */
export const ledgerReach = (principal: Principal): 'preview' | 'all' =>
  isForPreview(principal) ? 'preview' : 'all';

/**
 * The environment whose rows a caller reads in a log shared by both; undefined for the whole organization. A key or
 * token of preview reads preview only; a key of production and any other session read the named environment, or both.
 * @throws CodedError `access_denied` for one of preview that names production
 */
export const readableEnvironment = (
  principal: Principal,
  named?: Environment | undefined,
): Environment | undefined => {
  if (!isForPreview(principal)) return named;
  if (named === undefined || named === principal.environment) return principal.environment;
  throw denied(
    `A key or session token of preview reads entries of preview only, not of ${named}.`,
    principal,
  );
};
