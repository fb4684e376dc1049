import { z } from 'zod';

/** Organization roles, from the narrowest to the widest; each includes what those before it may do. */
export const roles = ['viewer', 'member', 'admin', 'owner'] as const;

/** The role of a user in an organization. */
export type Role = (typeof roles)[number];

/**
 * Every scope a key can carry, with the narrowest role that may hold it and what it allows.
 * A scope marked `reserved` may be put on keys, but no operation requires it.
 */
export const scopeTable = {
  'templates:read': { role: 'viewer', allows: 'read and search templates, read versions' },
  'entities:read': { role: 'viewer', allows: 'read and search entities and their fields' },
  'organizations:read': {
    role: 'viewer',
    allows: 'read the organization, its member list and its queues, without the events in them',
  },
  'usage:read': { role: 'viewer', allows: 'read credit balance, usage, the message log and events' },
  'sample-data:read': { role: 'viewer', allows: 'read sample data' },
  'modals:read': { role: 'viewer', allows: 'read modal definitions and their versions' },
  'destinations:read': {
    role: 'viewer',
    allows: 'read destinations, their deliveries and subscriptions to events',
  },
  'interactions:read': { role: 'viewer', allows: 'read what users clicked or submitted' },
  'queues:read': { role: 'viewer', allows: 'nothing yet', reserved: true },
  'scheduled:read': { role: 'viewer', allows: 'nothing yet', reserved: true },
  'scheduled:write': { role: 'viewer', allows: 'nothing yet', reserved: true },
  'templates:create': { role: 'member', allows: 'create templates' },
  'templates:update': { role: 'member', allows: 'update templates, add versions' },
  'templates:activate': { role: 'member', allows: 'make a version the live one' },
  'messages:create': { role: 'member', allows: 'compile templates and send messages' },
  'messages:preview': { role: 'member', allows: 'validate blocks and preview messages' },
  'entities:write': { role: 'member', allows: 'create, update and delete entities and their fields' },
  'modals:write': { role: 'member', allows: 'create, change and activate modals' },
  'sample-data:write': { role: 'member', allows: 'create, change and delete sample data' },
  'templates:delete': { role: 'admin', allows: 'delete templates' },
  'organizations:write': { role: 'admin', allows: 'update the organization, invite members' },
  'users:read': { role: 'admin', allows: 'read organization users by id, list invitations' },
  'users:write': { role: 'admin', allows: 'delete organization users' },
  'users:provision': {
    role: 'admin',
    allows: 'deactivate and reactivate members for an identity provider (SCIM)',
  },
  'queues:write': { role: 'admin', allows: 'manage queues, push events to them and read those events' },
  'destinations:write': {
    role: 'admin',
    allows: 'create, change, test and delete destinations, and, with usage:read, subscribe them to events',
  },
  'connections:write': { role: 'admin', allows: 'connect the organization to its chat workspace' },
  'api-keys:read': { role: 'admin', allows: 'list API keys' },
  'api-keys:write': { role: 'admin', allows: 'create and revoke API keys' },
  'audit:read': { role: 'admin', allows: 'read the audit log' },
  'organizations:delete': { role: 'owner', allows: 'delete the organization' },
  'organizations:transfer': { role: 'owner', allows: 'make another member the owner' },
} as const satisfies Record<string, { role: Role; allows: string; reserved?: true }>;

/** The name of a scope. */
export type Scope = keyof typeof scopeTable;

const isScope = (name: string): name is Scope => Object.hasOwn(scopeTable, name);

/** All scopes, in the order of the table. */
export const scopes: readonly Scope[] = Object.keys(scopeTable).filter(isScope);

/** Coarse names of an older summary, and what to put on a key instead. */
const formerScopes = new Map([
  ['templates:write', 'templates:create, templates:update, templates:activate and templates:delete'],
  [
    'organizations:admin',
    'organizations:write, organizations:delete, organizations:transfer, api-keys:write and connections:write',
  ],
  ['users:admin', 'users:read and users:write'],
]);

const unknownScope = (name: unknown): string => {
  const instead = typeof name === 'string' ? formerScopes.get(name) : undefined;
  return instead === undefined ? 'is no scope' : `is no scope any more: use what you need of ${instead}`;
};

/** Schema of a scope's name. */
export const scopeSchema = z
  .custom<Scope>((value) => typeof value === 'string' && isScope(value), {
    error: (issue) => unknownScope(issue.input),
  })
  .meta({ id: 'Scope', json: { type: 'string', enum: scopes } });

/** True when `role` is `least` or wider. */
export const roleIncludes = (role: Role, least: Role): boolean => roles.indexOf(role) >= roles.indexOf(least);

const scopesByRole = new Map<Role, readonly Scope[]>(
  roles.map((role) => [role, scopes.filter((scope) => roleIncludes(role, scopeTable[scope].role))]),
);

/** True for a scope that may be put on any key, since it allows nothing. */
export const isReserved = (scope: Scope): boolean => 'reserved' in scopeTable[scope];

/** Every scope that a role allows, in the order of the table. */
export const scopesOfRole = (role: Role): readonly Scope[] => scopesByRole.get(role) ?? [];

/** The scopes of a key as they count now: cut to what its creator's role allows. */
export const cutScopes = (granted: readonly string[], role: Role): Scope[] => {
  const allowed = scopesOfRole(role);
  return granted.filter(isScope).filter((scope) => allowed.includes(scope));
};
