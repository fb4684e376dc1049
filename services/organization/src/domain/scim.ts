import type { createScimUser, Role } from '@stanza/contracts';
import {
  type InputOf,
  limits,
  type patchScimUser,
  type replaceScimUser,
  type ScimUser,
  scimSchemas,
  validationFailed,
} from '@stanza/contracts';

import { groupId, sameText } from './scim-groups.ts';

/** The stored form of an address: mail systems treat addresses as case-insensitive. */
export const normalizeEmail = (email: string): string => email.trim().toLowerCase();

type Patch = InputOf<typeof patchScimUser>['body'];
type Replacement = InputOf<typeof replaceScimUser>['body'];

/** A member, or a former one deactivated by the identity provider. */
export interface ProvisionedUser {
  id: string;
  email: string;
  first_name: string;
  last_name: string;
  role: Role;
  /** What the identity provider calls them. */
  external_id: string | null;
  joined_at: Date;
  /** Null for a member. */
  deactivated_at: Date | null;
}

/** A member as an identity provider sees them. */
export const scimUserResource = (organizationId: string, user: ProvisionedUser): ScimUser => ({
  schemas: [scimSchemas.user],
  id: user.id,
  ...(user.external_id !== null && { externalId: user.external_id }),
  userName: user.email,
  name: { givenName: user.first_name, familyName: user.last_name },
  emails: [{ value: user.email, type: 'work', primary: true }],
  roles: [{ value: user.role, primary: true }],
  groups: user.role === 'owner' ? [] : [{ value: groupId(organizationId, user.role), display: user.role }],
  active: user.deactivated_at === null,
  meta: { resourceType: 'User', created: user.joined_at.toISOString(), location: `Users/${user.id}` },
});

/** An `eq` filter, whose syntax the schema has checked: its attribute in lower case, and its value. */
export const readFilter = (filter: string): { attribute: string; value: string } => {
  const [, attribute = '', value = ''] = /^ *(.+?) +eq +"([^"]*)" *$/i.exec(filter) ?? [];
  return { attribute: attribute.toLowerCase(), value };
};

/** Providers also write booleans as text, in any case. */
const truthOf = (value: unknown): boolean | undefined => {
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  return text === 'true' || text === 'false' ? text === 'true' : undefined;
};

type Created = InputOf<typeof createScimUser>['body'];

/** What a provider asks for a new member. */
export const askedUser = ({ userName, externalId, name, roles }: Created) => ({
  external_id: externalId ?? null,
  email: normalizeEmail(userName),
  first_name: name?.givenName ?? '',
  last_name: name?.familyName ?? '',
  role: roles?.[0]?.value,
});

const prefix = `${scimSchemas.user}:`.toLowerCase();

/**
 * The attribute of a name, which may be a path like `roles[primary eq "True"].value`, in lower case: names of SCIM have no
 * case. It is looked for from the start of the name alone, which a client makes as long as a body.
 */
const attributeOf = (name: string): string => {
  const plain = name.toLowerCase();
  const path = plain.startsWith(prefix) ? plain.slice(prefix.length) : plain;
  const end = path.search(/[[.]/);
  return end === -1 ? path : path.slice(0, end);
};

/** Whether a name, which may be a path, is of an attribute. */
const sameName = (name: string, attribute: string): boolean => attributeOf(name) === attribute.toLowerCase();

const immutable = (attribute: string): never => {
  const message = `${attribute} cannot be changed over SCIM`;
  throw validationFailed([{ code: 'mutability', path: [attribute], message }]);
};

const roleOf = (value: unknown): unknown => {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'object' && first !== null && 'value' in first ? first.value : first;
};

/**
 * Refuses values that differ from what cannot be changed, so that a provider does not take them for kept.
 * @throws CodedError `validation_failed` with the issue `mutability`
 */
export const checkImmutable = (values: Readonly<Record<string, unknown>>, user: ProvisionedUser): void => {
  for (const [name, value] of Object.entries(values)) {
    if (sameName(name, 'userName') && (typeof value !== 'string' || normalizeEmail(value) !== user.email))
      immutable('userName');
    if (sameName(name, 'roles') && !sameText(roleOf(value), user.role)) immutable('roles');
  }
};

/**
 * The id that a provider gives to a person; null where it takes it away, undefined where it does not name it.
 * @throws CodedError `validation_failed` for one that is no text, or too long
 */
export const externalIdIn = (values: Readonly<Record<string, unknown>>): string | null | undefined => {
  const given = Object.entries(values).findLast(([name]) => sameName(name, 'externalId'));
  if (given === undefined) return undefined;
  const value = given[1] ?? null;
  if (value === null || (typeof value === 'string' && Array.from(value).length <= limits.externalId))
    return value;
  return refuse(['externalId'], `must be a text of ${limits.externalId} characters at most`);
};

const refuse = (path: (string | number)[], message: string, code = 'custom'): never => {
  throw validationFailed([{ code, path, message }]);
};

/**
 * The values of a patch, by attribute; what it removes is undefined.
 * @throws CodedError `validation_failed` with the issue `noTarget` for what is removed without a name
 */
export const patchedValues = ({ Operations }: Patch): Record<string, unknown> =>
  Object.fromEntries(
    Operations.flatMap(({ op, path, value }, at) => {
      const isRemoved = op.toLowerCase() === 'remove';
      if (path !== undefined) return [[path, isRemoved ? undefined : value]];
      return isRemoved
        ? refuse(['Operations', at], 'remove needs a path', 'noTarget')
        : Object.entries(Object(value));
    }),
  );

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

/** The `active` of a whole resource, also of a new one; undefined without one. */
export const activeOf = (body: Replacement | Created): boolean | undefined => {
  const given = activeIn(body);
  if (given === undefined) return undefined;
  return truthOf(given) ?? refuse(['active'], 'must be true or false');
};
