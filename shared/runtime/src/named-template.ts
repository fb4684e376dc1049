import { notFound, resolveKey, type TemplateReference } from '@stanza/contracts';
import type { Tenant } from './database/tenant.ts';
import { InvariantError } from './invariant.ts';
import type { RpcClient } from './rpc/client.ts';
import type { CallContext } from './rpc/context.ts';

/** Where a template is looked up. */
export interface TemplateLookup {
  rpc: RpcClient;
  context: CallContext;
  tenant: Tenant;
}

/**
 * The id of the template that a request names, by its id or by its key.
 * @throws CodedError `template_not_found` when the key names none; an id is not looked up
 */
export const namedTemplateId = async (
  { rpc, context, tenant }: TemplateLookup,
  { template_id, template_key }: TemplateReference,
): Promise<string> => {
  // As it was made, if it came in upper case.
  if (typeof template_id === 'string') return template_id.toLowerCase();
  if (typeof template_key !== 'string') throw new InvariantError('the request names no template');
  const { organizationId: organization_id, environment } = tenant;
  const asked = { organization_id, environment, kind: 'template' as const, key: template_key };
  const { id } = await rpc.call(resolveKey, asked, context);
  if (id === null) throw notFound('template');
  return id;
};
