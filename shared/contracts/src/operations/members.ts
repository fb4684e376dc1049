import { z } from 'zod';
import { httpOperation } from '../operation.ts';
import { organizationUser, ownOrganization, personName, profile } from '../resources/people.ts';
import { deleted, id, listOf, pageQuery } from '../resources/values.ts';
import { roles } from '../scopes.ts';

const byId = z.strictObject({ id });

/** Lists the members of the caller's organization. */
export const listMembers = httpOperation({
  id: 'list-members',
  service: 'organization',
  summary: 'List the members of the organization, the longest first',
  method: 'GET',
  path: '/organizations/{id}/members',
  access: 'organizations:read',
  params: byId,
  query: pageQuery.extend({ role: z.enum(roles).optional() }),
  reply: listOf(organizationUser),
  errors: ['organization_not_found'],
});

/** Changes the role of a member. */
export const updateMember = httpOperation({
  id: 'update-member',
  service: 'organization',
  summary: 'Change the role of a member; it counts on all their keys and sessions within a second',
  description:
    'A person grants no role above their own, and a key grants no role that adds scopes which it lacks itself. The owner keeps the role until the ownership is transferred; the role cannot be given here.',
  method: 'PATCH',
  path: '/organizations/{id}/members/{user_id}',
  access: 'organizations:write',
  role: 'admin',
  organizationWide: true,
  params: z.strictObject({ id, user_id: id }),
  body: z.strictObject({ role: z.enum(roles) }),
  reply: organizationUser,
  errors: ['organization_not_found', 'user_not_found'],
  example: { role: 'viewer' },
});

/** Hands the organization to another member. */
export const transferOwnership = httpOperation({
  id: 'transfer-ownership',
  service: 'organization',
  summary: 'Make another member the owner; the owner so far becomes an admin',
  description: 'A key must hold every scope of an owner besides.',
  method: 'POST',
  path: '/organizations/{id}/transfer-ownership',
  access: 'organizations:transfer',
  role: 'owner',
  organizationWide: true,
  params: byId,
  body: z.strictObject({ user_id: id.describe('a member of the organization') }),
  reply: z.object({ success: z.literal(true), owner: organizationUser, previous_owner: organizationUser }),
  errors: ['organization_not_found', 'user_not_found'],
  example: { user_id: '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f' },
});

/** Shows a user of the caller's organization. */
export const getUser = httpOperation({
  id: 'get-user',
  service: 'organization',
  summary: 'Read a user of the organization',
  method: 'GET',
  path: '/users/{id}',
  access: 'users:read',
  params: byId,
  reply: organizationUser,
  errors: ['user_not_found'],
});

/** Takes a user out of the organization. */
export const deleteUser = httpOperation({
  id: 'delete-user',
  service: 'organization',
  summary: 'Remove a user from the organization and revoke all their keys of it',
  description:
    'A member whom an identity provider has deactivated is removed as well, and cannot be reactivated. The person stays a user of other organizations. The owner cannot be removed.',
  method: 'DELETE',
  path: '/users/{id}',
  access: 'users:write',
  role: 'admin',
  organizationWide: true,
  params: byId,
  reply: deleted,
  errors: ['user_not_found'],
});

/** Shows the person behind a session. */
export const getProfile = httpOperation({
  id: 'get-profile',
  service: 'organization',
  summary: 'Read your own profile and the organizations you belong to',
  method: 'GET',
  path: '/users/profile',
  access: 'session',
  reply: profile,
  errors: ['profile_not_found'],
});

/** Changes the names of the person behind a session. */
export const updateProfile = httpOperation({
  id: 'update-profile',
  service: 'organization',
  summary: 'Change your own names',
  description: 'What is left out stays.',
  method: 'PATCH',
  path: '/users/profile',
  access: 'session',
  ownRate: 'person',
  body: z.strictObject({ first_name: personName.optional(), last_name: personName.optional() }),
  reply: profile,
  errors: ['profile_not_found'],
  example: { first_name: 'Ada', last_name: 'Lovelace' },
});

/** Lists the organizations of the person behind a session. */
export const listOwnOrganizations = httpOperation({
  id: 'list-own-organizations',
  service: 'organization',
  summary: 'List the organizations you belong to, with your role and the environments of each',
  description:
    'Independent of the organization that the session names, which may be none. Sorted by name. An organization that was deleted is not listed.',
  method: 'GET',
  path: '/users/profile/organizations',
  access: 'session',
  query: pageQuery,
  reply: listOf(ownOrganization),
  errors: ['profile_not_found'],
});
