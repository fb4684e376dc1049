import * as contracts from '@stanza/contracts';
import type { CallContext, Tenant } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';

/** The id of the template that a key names; null where it names none. */
export const templateOfKey = async (
  { rpc }: Pick<Dependencies, 'rpc'>,
  { tenant, context }: { tenant: Tenant; context: CallContext },
  key: string,
): Promise<string | null> => {
  const { organizationId: organization_id, environment } = tenant;
  const asked = { organization_id, environment, kind: 'template' as const, key };
  return (await rpc.call(contracts.resolveKey, asked, context)).id;
};
