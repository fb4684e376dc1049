import { listApiKeys as operation } from '@stanza/contracts';
import { handle, Tenant } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { managedEnvironment } from '../domain/key-grants.ts';
import { presentKey } from '../present-key.ts';
import { pageOfKeys } from '../store/key-list.ts';

/** Lists the keys of an environment, including revoked and expired ones. */
export const listApiKeys = ({ database, clock }: Pick<Dependencies, 'database' | 'clock'>) =>
  handle(operation, async ({ principal, input: { query } }) => {
    const { limit, offset, status, parent_key_id: parentId } = query;
    const environment = managedEnvironment(principal, query.environment);
    const tenant = new Tenant(principal.organization_id, environment);
    const now = clock.now();
    const { items, total } = await pageOfKeys(database, tenant, { status, parentId, now }, { limit, offset });
    return { data: items.map((key) => presentKey(key, now)), pagination: { offset, limit, total } };
  });
