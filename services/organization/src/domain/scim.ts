import {
  type InputOf,
  type patchScimUser,
  type replaceScimUser,
  type ScimUser,
  scimSchemas,
  validationFailed,
} from '@stanza/contracts';
import type { ProvisionedUser } from '../store/provisioned-users.ts';

type Patch = InputOf<typeof patchScimUser>['body'];
type Replacement = InputOf<typeof replaceScimUser>['body'];

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

/** The address that a filter looks for; its form has been checked. */
export const filteredUserName = (filter: string | undefined): string | undefined =>
  filter === undefined ? undefined : /"(.*)"/.exec(filter)?.[1];

/** Providers write booleans as text too, in any case. */
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

/** Names of attributes have no case. */
const activeIn = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).find(([name]) => isActive(name))?.[1]
    : undefined;

/**
 * What a change makes of `active`; undefined where it says nothing of it. Of several operations the last one counts.
 * @throws CodedError `validation_failed` for what is no truth value, and for taking the attribute away
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

/** What a whole resource says of `active`; undefined where it says nothing. */
export const activeOf = (body: Replacement): boolean | undefined => {
  const given = activeIn(body);
  if (given === undefined) return undefined;
  return truthOf(given) ?? refuse(['active'], 'must be true or false');
};
