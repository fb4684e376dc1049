import {
  type InputOf,
  type patchScimGroup,
  type Role,
  type ScimGroup,
  scimGroupRoles,
  scimSchemas,
  validationFailed,
} from '@stanza/contracts';
import { v5 as uuidv5 } from 'uuid';

/** A role that is a group. */
export type GroupRole = (typeof scimGroupRoles)[number];

/** The id of a role as a group of an organization. */
export const groupId = (organizationId: string, role: GroupRole): string =>
  uuidv5(`scim group ${role}`, organizationId);

/** The role of a group; undefined for an id of none of the organization's. */
export const roleOfGroup = (organizationId: string, id: string): GroupRole | undefined =>
  scimGroupRoles.find((role) => groupId(organizationId, role) === id.toLowerCase());

/** A person of a group. */
export interface GroupMember {
  id: string;
  email: string;
  role: Role;
}

/** Which attributes a request wants. */
export interface Shown {
  attributes?: string | undefined;
  excludedAttributes?: string | undefined;
}

const names = (list: string, attribute: string): boolean =>
  list.split(',').some((it) => it.trim().toLowerCase() === attribute);

/** Whether an answer has the members of groups. */
export const showsMembers = ({ attributes, excludedAttributes }: Shown): boolean =>
  !names(excludedAttributes ?? '', 'members') && (attributes === undefined || names(attributes, 'members'));

/** A role as an identity provider sees it. */
export const scimGroupResource = (
  organizationId: string,
  role: GroupRole,
  members: readonly GroupMember[] | undefined,
): ScimGroup => {
  const id = groupId(organizationId, role);
  return {
    schemas: [scimSchemas.group],
    id,
    displayName: role,
    ...(members && {
      members: members.map(({ id: value, email }) => ({ value, display: email, type: 'User' as const })),
    }),
    meta: { resourceType: 'Group', location: `Groups/${id}` },
  };
};

/** What a provider asks of the members of a group. */
export type MembersChange =
  | { kind: 'add' | 'remove' | 'replace'; ids: readonly string[] }
  | { kind: 'remove all' };

type Operation = InputOf<typeof patchScimGroup>['body']['Operations'][number];

const refuse = (code: string, at: number, message: string): never => {
  throw validationFailed([{ code, path: ['Operations', at], message }]);
};

const idIn = (value: unknown): string | undefined => {
  const id: unknown = typeof value === 'object' && value !== null && 'value' in value ? value.value : value;
  return typeof id === 'string' ? id.toLowerCase() : undefined;
};

const idsIn = (value: unknown, at: number): string[] =>
  (Array.isArray(value) ? value : [value]).map(
    (it) => idIn(it) ?? refuse('custom', at, 'members must be a list of objects with value, an id'),
  );

/** Whether a value is a text, in any case: none of the texts that cannot be changed has one (`caseExact`). */
export const sameText = (given: unknown, text: string): boolean =>
  typeof given === 'string' && given.toLowerCase() === text.toLowerCase();

/**
 * Names have no case.
 * @throws CodedError `validation_failed` with the issue `mutability` for another name than the group has
 */
export const checkGroupName = (given: unknown, role: GroupRole): void => {
  if (given === undefined || sameText(given, role)) return;
  const message = 'the groups are the roles, and their names cannot be changed';
  throw validationFailed([{ code: 'mutability', path: ['displayName'], message }]);
};

/** Members that one request names, at most: each is a change in one transaction. */
const maxMembers = 1_000;

const prefix = `${scimSchemas.group}:`.toLowerCase();
const one = /^members\[ *value +eq +"([^"]+)" *\]$/i;

const valuesByName = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];

const changesOfOne = ({ op, path, value }: Operation, at: number, role: GroupRole): MembersChange[] => {
  const kind = op.toLowerCase();
  if (path === undefined) {
    if (kind === 'remove') refuse('noTarget', at, 'remove needs a path');
    return valuesByName(value).flatMap(([name, inner]) =>
      changesOfOne({ op, path: name, value: inner }, at, role),
    );
  }
  const name = path.toLowerCase().startsWith(prefix) ? path.slice(prefix.length) : path;
  if (name.toLowerCase() === 'displayname') {
    checkGroupName(kind === 'remove' ? null : value, role);
    return [];
  }
  const [, id] = one.exec(name) ?? [];
  if (id !== undefined) {
    if (kind !== 'remove') refuse('invalidPath', at, 'a member is named in value; members[…] is for remove');
    return [{ kind: 'remove', ids: [id.toLowerCase()] }];
  }
  if (/^members\b./i.test(name)) refuse('invalidPath', at, 'must be members, or members[value eq "<id>"]');
  // Other attributes have no effect, as the answer shows.
  if (name.toLowerCase() !== 'members') return [];
  if (kind === 'remove' && (value === undefined || value === null)) return [{ kind: 'remove all' }];
  const ids = idsIn(value ?? [], at);
  return [{ kind: kind === 'add' || kind === 'remove' ? kind : 'replace', ids }];
};

/**
 * The changes of members that a patch asks for, in their order.
 * @throws CodedError `validation_failed` for a path or value that cannot be understood, and for a new name
 */
export const membersChanges = (operations: readonly Operation[], role: GroupRole): MembersChange[] => {
  const changes = operations.flatMap((operation, at) => changesOfOne(operation, at, role));
  const named = changes.reduce((sum, change) => sum + ('ids' in change ? change.ids.length : 0), 0);
  if (named > maxMembers) refuse('custom', 0, `names ${named} members; ${maxMembers} at most`);
  return changes;
};

/**
 * The role that each person has after one change; those who are taken out and stay what they are, viewers, are left out.
 * @param current the members of the group before it
 */
export const rolesAfter = (
  change: MembersChange,
  role: GroupRole,
  current: readonly string[],
): Map<string, GroupRole> => {
  const after = new Map<string, GroupRole>();
  const takeOut = (ids: readonly string[]): void => {
    if (role === 'viewer') return;
    for (const id of ids) if (current.includes(id)) after.set(id, 'viewer');
  };
  if (change.kind === 'remove all') takeOut(current);
  else if (change.kind === 'remove') takeOut(change.ids);
  else {
    if (change.kind === 'replace') takeOut(current.filter((id) => !change.ids.includes(id)));
    for (const id of change.ids) after.set(id, role);
  }
  return after;
};
