import { notFound, listOwnOrganizations as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentOwnOrganization } from '../present-people.ts';
import { findUserOfIdentity } from '../store/identities.ts';
import { pageOfBelongings } from '../store/profiles.ts';

/** Lists the organizations of the person of the session, independent of the one that it names. */
export const listOwnOrganizations = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ person, input: { query } }) => {
    const userId = await findUserOfIdentity(database, person);
    if (userId === undefined) throw notFound('profile');
    const { limit, offset } = query;
    const { items, total } = await pageOfBelongings(database, userId, { limit, offset });
    return { data: items.map(presentOwnOrganization), pagination: { offset, limit, total } };
  });
