import type { Role } from '@stanza/contracts';
import { type Queryable, statement, type Transaction } from '@stanza/runtime';
import { type User, userEntity } from './access-entities.ts';

/** An organization that a person belongs to. */
export interface Belonging {
  id: string;
  name: string;
  role: Role;
  joined_at: Date;
}

const selectBelongings = statement<Belonging>(
  'profile-organizations',
  `select organizations.id, organizations.name, memberships.role, memberships.created_at as joined_at
   from memberships
   join organizations on organizations.id = memberships.organization_id
   where memberships.user_id = $1 and organizations.status <> 'deleted'
   order by organizations.name, organizations.id`,
);

/** The organizations that a person belongs to. */
export const organizationsOf = (database: Queryable, userId: string): Promise<Belonging[]> =>
  database.query(selectBelongings, [userId]);

const selectReached = statement<{ id: string }>(
  'user-organizations',
  `select organizations.id
   from (
     select organization_id from memberships where user_id = $1
     union
     select organization_id from deactivated_members where user_id = $1
   ) as belonging
   join organizations on organizations.id = belonging.organization_id
   where organizations.status <> 'deleted'
   order by organizations.id`,
);

/** The ids of the organizations that a person belongs to, or in which an identity provider can reactivate them. */
export const organizationsReached = async (database: Queryable, userId: string): Promise<string[]> =>
  (await database.query(selectReached, [userId])).map(({ id }) => id);

/** A person with the organizations that they belong to. */
export const findProfile = async (
  database: Queryable,
  userId: string,
): Promise<{ user: User; organizations: Belonging[] } | undefined> => {
  const user = await database.orm.findOneBy(userEntity, { id: userId });
  if (!user) return undefined;
  return { user, organizations: await organizationsOf(database, userId) };
};

/** Changes the names of a person. */
export const setNames = async (
  tx: Transaction,
  userId: string,
  names: Partial<Pick<User, 'first_name' | 'last_name'>>,
): Promise<void> => {
  await tx.orm.update(userEntity, { id: userId }, names);
};
