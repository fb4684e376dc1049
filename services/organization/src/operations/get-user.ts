import { notFound, getUser as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentUser } from '../present-people.ts';
import { findUser } from '../store/people.ts';

/** Shows a user of the caller's organization; any other user is not found. */
export const getUser = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ tenant, input: { params } }) => {
    const user = await findUser(database, tenant.organizationId, params.id);
    if (!user) throw notFound('user');
    return presentUser(user);
  });
