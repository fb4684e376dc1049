import { CodedError, notFound, type Principal } from '@stanza/contracts';
import type { Tenant } from '@stanza/runtime';

/** An error for a call that is denied for a reason other than a missing scope. */
export const denied = (message: string, { scopes }: Pick<Principal, 'scopes'> = { scopes: [] }): CodedError =>
  new CodedError('access_denied', { message, required_scopes: [], user_scopes: [...scopes] });

/** @throws CodedError `organization_not_found` for any organization but the caller's own */
export const checkOwn = ({ organizationId }: Tenant, id: string): void => {
  // Ids are accepted in either case.
  if (id.toLowerCase() !== organizationId) throw notFound('organization');
};
