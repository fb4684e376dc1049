import { CodedError, getOrganizationStatus } from '@stanza/contracts';
import type { CallContext, Tenant } from '@stanza/runtime';
import type { Dependencies } from '../../dependencies.ts';

/**
 * Nobody is signed in behind a batch or a schedule who could be refused, so it is asked here whether the organization may
 * do anything.
 * @throws CodedError `access_denied` for one that is suspended or deleted
 */
export const checkActive = async (
  { rpc }: Pick<Dependencies, 'rpc'>,
  { organizationId: organization_id }: Tenant,
  context: CallContext,
): Promise<void> => {
  const { status } = await rpc.call(getOrganizationStatus, { organization_id }, context);
  if (status === 'active') return;
  throw new CodedError('access_denied', { message: `The organization is ${status}. Nothing was posted.` });
};
