import { CodedError, checkDestination, notFound, resolveLiveVersions } from '@stanza/contracts';
import type { CallContext, RpcClient, Tenant } from '@stanza/runtime';
import type { PolicyChoice } from './domain/policy.ts';

/**
 * Checks that what a policy refers to is there. A template without a live version will do: it may be activated before
 * the first batch is closed.
 * @throws CodedError `template_not_found`, `not_found` for a destination, or `invalid_state` for an archived template
 */
export const checkReferences = async (
  rpc: RpcClient,
  context: CallContext,
  tenant: Tenant,
  { template_id, destination_id }: Pick<PolicyChoice, 'template_id' | 'destination_id'>,
): Promise<void> => {
  const { organizationId: organization_id, environment } = tenant;
  if (destination_id !== null) {
    await rpc.call(checkDestination, { organization_id, environment, destination_id }, context);
  }
  if (template_id === null) return;
  const { versions } = await rpc.call(
    resolveLiveVersions,
    { templates: [{ organization_id, environment, template_id }] },
    context,
  );
  const [version] = versions;
  if (!version || version.found || version.code === 'version_not_found') return;
  if (version.code === 'template_not_found') throw notFound('template');
  throw new CodedError('invalid_state', { message: 'The template is archived; unarchive it first.' });
};
