import { getOrganizationStatus, type Principal } from '@stanza/contracts';
import type { CallContext, RpcClient } from '@stanza/runtime';
import { ActivationRights } from './domain/activation-rights.ts';

/**
 * Reads what the policies of its organization let a caller make live. Without an answer nothing is made live.
 * @throws CodedError `service_unavailable`
 */
export const readActivationRights = async (
  rpc: RpcClient,
  context: CallContext,
  { organization_id, actor }: Pick<Principal, 'organization_id' | 'actor'>,
): Promise<ActivationRights> => {
  const { activation = 'anyone', guard_activation = false } = await rpc.call(
    getOrganizationStatus,
    { organization_id },
    context,
  );
  return new ActivationRights(actor, { activation, guard_activation });
};
