import { notFound, updateProfile as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentProfile } from '../present-people.ts';
import { record } from '../store/audit-log.ts';
import { findUserOfIdentity } from '../store/identities.ts';
import { findProfile, setNames } from '../store/profiles.ts';

/** Changes the names of the person of the session; every organization that shows them gets an audit entry. */
export const updateProfile = ({ database, clock }: Pick<Dependencies, 'database' | 'clock'>) =>
  handle(operation, async ({ person, context, input: { body } }) =>
    database.transaction(async (tx) => {
      const userId = await findUserOfIdentity(tx, person);
      const found = userId && (await findProfile(tx, userId));
      if (!found) throw notFound('profile');
      const { user, organizations } = found;
      const { first_name = user.first_name, last_name = user.last_name } = body;
      const isSame = first_name === user.first_name && last_name === user.last_name;
      if (isSame) return presentProfile(user, organizations);
      await setNames(tx, user.id, { first_name, last_name });
      for (const { id: organization_id } of organizations) {
        await record(tx, context, {
          action: 'user.renamed',
          subject: { kind: 'user', id: user.id },
          changes: { first_name, last_name },
          owner: { organization_id, environment: null },
          actor: { type: 'session', id: person.subject, user_id: user.id },
          at: clock.now(),
        });
      }
      return presentProfile({ ...user, first_name, last_name }, organizations);
    }),
  );
