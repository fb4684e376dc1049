import type { Role } from '@stanza/contracts';
import {
  type InputOf,
  type patchScimUser,
  type replaceScimUser,
  type ScimUser,
  scimSchemas,
  validationFailed,
} from '@stanza/contracts';

type Patch = InputOf<typeof patchScimUser>['body'];
type Replacement = InputOf<typeof replaceScimUser>['body'];

/** A member, or a former one deactivated by the identity provider. */
export interface ProvisionedUser {
  id: string;
  email: string;
  first_name: string;
  last_name: string;
  role: Role;
  joined_at: Date;
  /** Null for a member. */
  deactivated_at: Date | null;
}

/** A member as an identity provider sees them. */
export const scimUserResource = (user: ProvisionedUser): ScimUser => ({
  schemas: [scimSchemas.user],
  id: user.id,
  userName: user.email,
  name: { givenName: user.first_name, familyName: user.last_name },
  emails: [{ value: user.email, type: 'work', primary: true }],
  roles: [{ value: user.role, primary: true }],
  active: user.deactivated_at === null,
  meta: { resourceType: 'User', created: user.joined_at.toISOString(), location: `Users/${user.id}` },
});

/** The address of an `eq` filter, whose syntax the schema has checked. */
export const filteredUserName = (filter: string | undefined): string | undefined =>
  filter === undefined ? undefined : /"(.*)"/.exec(filter)?.[1];

/** Providers also write booleans as text, in any case. */
const truthOf = (value: unknown): boolean | undefined => {
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  return text === 'true' || text === 'false' ? text === 'true' : undefined;
};

const refuse = (path: (string | number)[], message: string): never => {
  throw validationFailed([{ code: 'custom', path, message }]);
};

const isActive = (name: string): boolean =>
  name.toLowerCase() === 'active' || name.toLowerCase() === `${scimSchemas.user}:active`.toLowerCase();

/** Attribute names are case-insensitive. */
const activeIn = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).find(([name]) => isActive(name))?.[1]
    : undefined;

/**
 * The value that a patch gives to `active`; undefined without one. Of several operations the last one counts.
 * @throws CodedError `validation_failed` for a value that is not a boolean, and for removing the attribute
 */
export const activeAfter = ({ Operations }: Patch): boolean | undefined => {
  let active: boolean | undefined;
  for (const [at, { op, path, value }] of Operations.entries()) {
    if (path !== undefined && !isActive(path)) continue;
    const given = path === undefined ? activeIn(value) : value;
    if (op.toLowerCase() === 'remove') {
      if (path !== undefined) refuse(['Operations', at, 'op'], 'active cannot be removed; replace it');
      continue;
    }
    if (given === undefined && path === undefined) continue;
    active = truthOf(given) ?? refuse(['Operations', at, 'value'], 'active must be true or false');
  }
  return active;
};

/** The `active` of a whole resource; undefined without one. */
export const activeOf = (body: Replacement): boolean | undefined => {
  const given = activeIn(body);
  if (given === undefined) return undefined;
  return truthOf(given) ?? refuse(['active'], 'must be true or false');
};
