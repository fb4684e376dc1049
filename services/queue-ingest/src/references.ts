import { CodedError, checkDestination, notFound, resolveLiveVersions } from '@stanza/contracts';
import {
  beginReferences,
  type CallContext,
  namedTemplateId,
  type RpcClient,
  type TemplateLookup,
  type Tenant,
  type Transaction,
} from '@stanza/runtime';
import type { PolicyChoice } from './domain/policy.ts';

/** What a request may name by key in place of an id. */
interface NamedByKey {
  template_id?: string | null | undefined;
  template_key?: string | undefined;
  destination_id?: string | null | undefined;
  destination_key?: string | undefined;
}

/**
 * What was given with ids in place of keys.
 * @throws CodedError `template_not_found`, or `not_found` for a destination
 */
export const withIds = async <T extends NamedByKey>(
  lookup: TemplateLookup,
  given: T,
): Promise<Omit<T, 'template_key' | 'destination_key'>> => {
  const { template_key, destination_key, ...named } = given;
  const ids: { template_id?: string; destination_id?: string } = {};
  if (template_key !== undefined) ids.template_id = await namedTemplateId(lookup, { template_key });
  if (destination_key !== undefined) {
    const { organizationId: organization_id, environment } = lookup.tenant;
    const asked = { organization_id, environment, destination_key };
    ids.destination_id = (await lookup.rpc.call(checkDestination, asked, lookup.context)).id;
  }
  return { ...named, ...ids };
};

/** Checks references once more in the transaction that makes them: what they name may have been deleted since. */
export const makeReferences = async (
  tx: Transaction,
  ...[rpc, context, tenant, choice]: Parameters<typeof checkReferences>
): Promise<void> => {
  await beginReferences(tx, [choice.template_id, choice.destination_id]);
  await checkReferences(rpc, context, tenant, choice);
};

/**
 * Checks that the references of a policy exist. A template without a live version is allowed: it may be activated
 * before the first batch is closed.
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
