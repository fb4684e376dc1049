import { listMembers as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { checkOwn } from '../domain/errors.ts';
import { presentUser } from '../present-people.ts';
import { pageOfUsers } from '../store/people.ts';

/** Lists the members of the caller's own organization. */
export const listMembers = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ tenant, input: { params, query } }) => {
    checkOwn(tenant, params.id);
    const { limit, offset, role } = query;
    const { items, total } = await pageOfUsers(database, tenant.organizationId, role, { limit, offset });
    return { data: items.map(presentUser), pagination: { offset, limit, total } };
  });
