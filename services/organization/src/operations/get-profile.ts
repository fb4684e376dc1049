import { notFound, getProfile as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentProfile } from '../present-people.ts';
import { findUserOfIdentity } from '../store/identities.ts';
import { findProfile } from '../store/profiles.ts';

/** Shows the person of the session, independent of the organization that it names. */
export const getProfile = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ person }) => {
    const userId = await findUserOfIdentity(database, person);
    const found = userId && (await findProfile(database, userId));
    if (!found) throw notFound('profile');
    return presentProfile(found.user, found.organizations);
  });
