import { CodedError, getOrganizationStatus } from '@stanza/contracts';
import type { CallContext, Tenant } from '@stanza/runtime';
import type { Dependencies } from './dependencies.ts';

/**
 * Batches, schedules, clicks and deliveries have no authenticated caller, so the organization's status is checked here.
 * @throws CodedError `access_denied` for a suspended or deleted one
 */
export const checkActive = async (
  { rpc }: Pick<Dependencies, 'rpc'>,
  { organizationId: organization_id }: Tenant,
  context: CallContext,
): Promise<void> => {
  const { status } = await rpc.call(getOrganizationStatus, { organization_id }, context);
  if (status === 'active') return;
  throw new CodedError('access_denied', { message: `The organization is ${status}. Nothing was done.` });
};
