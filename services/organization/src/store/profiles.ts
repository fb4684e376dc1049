import type { Page, Role } from '@stanza/contracts';
import { type Queryable, statement, type Transaction } from '@stanza/runtime';
import type { User } from './access-tables.ts';
import { userEntity } from './entities.ts';
import type { OrganizationStatus } from './organizations.ts';

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

/** An organization of a person in the list of their own. */
export type ListedBelonging = Belonging & { status: OrganizationStatus };

const belongings = `from memberships
   join organizations on organizations.id = memberships.organization_id
   where memberships.user_id = $1 and organizations.status <> 'deleted'`;

const selectPage = statement<ListedBelonging>(
  'own-organizations',
  `select organizations.id, organizations.name, organizations.status, memberships.role,
     memberships.created_at as joined_at
   ${belongings}
   order by organizations.name, organizations.id
   limit $2
   offset $3`,
);

const selectTotal = statement<{ total: number }>(
  'own-organizations-count',
  `select count(*) as total
   ${belongings}`,
);

/** A page of the organizations that a person belongs to, by name. */
export const pageOfBelongings = async (
  database: Queryable,
  userId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<Page<ListedBelonging>> => {
  const items = await database.query(selectPage, [userId, limit, offset]);
  const [counted] = await database.query(selectTotal, [userId]);
  return { items, total: counted?.total ?? 0 };
};

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

/** The ids of the organizations of a person, including those in which an identity provider can reactivate them. */
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
