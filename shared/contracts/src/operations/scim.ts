import { z } from 'zod';
import { limits } from '../limits.ts';
import { httpOperation } from '../operation.ts';
import { personName } from '../resources/people.ts';
import {
  scimConfig,
  scimGroup,
  scimGroupList,
  scimGroupRoles,
  scimList,
  scimResourceTypeList,
  scimSchemaList,
  scimSchemas,
  scimUser,
} from '../resources/scim.ts';
import { id } from '../resources/values.ts';

const byId = z.strictObject({ id });

/** What all operations of SCIM have in common. */
const provisioning = {
  service: 'organization',
  access: 'users:provision',
  role: 'admin',
  organizationWide: true,
  answers: 'scim',
} as const;

/** The filters by which providers find a resource; names and operators of SCIM have no case. */
const eqFilter = (attributes: string, message: string, example: string) =>
  z
    .string()
    .max(400)
    .regex(new RegExp(`^ *(?:${attributes}) +eq +"[^"\\\\]{1,320}" *$`, 'i'), message)
    .meta({ example });

const userFilter = eqFilter(
  'userName|externalId|emails\\[type eq "work"\\]\\.value',
  'must be: userName eq "<e-mail address>", the same of emails[type eq "work"].value, or externalId eq "<id>"; there is no other filter',
  'userName eq "ada@example.com"',
);

const groupFilter = eqFilter(
  'displayName|externalId',
  'must be: displayName eq "<role>", or externalId eq "<id>"; there is no other filter',
  'displayName eq "admin"',
);

const ignored = z.string().max(1_000).optional().describe('has no effect');

/** RFC 7644, 3.4.2.4: a number out of range counts as the nearest one in it. */
const clampedQuery = (minimum: number, maximum: number, preset: number) =>
  z
    .string()
    .regex(/^-?\d+$/, 'must be a whole number')
    .transform((text) => Math.min(maximum, Math.max(minimum, Number(text))))
    .default(preset)
    .meta({ json: { type: 'integer', default: preset } });

/** Finds members. */
export const listScimUsers = httpOperation({
  ...provisioning,
  id: 'list-scim-users',
  summary: 'Find members, deactivated ones included, for an identity provider (SCIM 2.0)',
  method: 'GET',
  path: '/scim/v2/Users',
  query: z.strictObject({
    filter: userFilter.optional(),
    startIndex: clampedQuery(1, limits.offset, 1).describe(
      'number of the first one, from 1; a lower one counts as 1',
    ),
    count: clampedQuery(0, limits.page, limits.page).describe(
      `members of the answer at most; a higher number counts as ${limits.page}, a negative one as 0`,
    ),
    attributes: ignored,
    excludedAttributes: ignored,
    sortBy: ignored,
    sortOrder: ignored,
  }),
  reply: scimList,
});

/** Roles have no case, as {@link listScimSchemas} says. */
const anyCaseRole = z
  .string()
  .toLowerCase()
  .pipe(z.enum(scimGroupRoles))
  .meta({ json: { type: 'string', enum: [...scimGroupRoles] } });

const userBody = z
  .looseObject({
    schemas: z.array(z.string()).max(10).optional(),
    userName: z.email().max(limits.email).describe('the e-mail address'),
    externalId: z.string().max(limits.externalId).nullish(),
    name: z
      .looseObject({
        givenName: personName.nullish(),
        familyName: personName.nullish(),
      })
      .optional(),
    roles: z
      .array(z.looseObject({ value: anyCaseRole }))
      .max(1)
      .optional(),
  })
  .meta({ freeForm: true });

/** Adds a member. */
export const createScimUser = httpOperation({
  ...provisioning,
  id: 'create-scim-user',
  summary: 'Add a member for an identity provider (SCIM 2.0)',
  description:
    'The person is a viewer, or what `roles` says: a key gives only a role whose scopes it holds itself. 409 for a member, a deactivated one included, and for a person who signs in already.',
  method: 'POST',
  path: '/scim/v2/Users',
  status: 201,
  body: userBody,
  reply: scimUser,
  errors: ['already_exists', 'tier_limit'],
  example: {
    schemas: [scimSchemas.user],
    userName: 'grace@example.com',
    name: { givenName: 'Grace', familyName: 'Hopper' },
  },
  noGeneratedSuccess: 'Two requests with one address do not both succeed.',
});

/** Reads a member. */
export const getScimUser = httpOperation({
  ...provisioning,
  id: 'get-scim-user',
  summary: 'Read a member for an identity provider (SCIM 2.0)',
  method: 'GET',
  path: '/scim/v2/Users/{id}',
  params: byId,
  reply: scimUser,
  errors: ['user_not_found'],
});

/** Providers write booleans as text too. */
const active = z.union([z.boolean(), z.string().regex(/^(true|false)$/i, 'must be true or false')]);

const patchOperation = z.looseObject({
  op: z
    .string()
    .regex(
      /^([aA][dD][dD]|[rR][eE][pP][lL][aA][cC][eE]|[rR][eE][mM][oO][vV][eE])$/,
      'must be add, replace or remove',
    ),
  path: z.string().max(1_000).optional(),
  value: z.unknown().optional(),
});

/** Changes whether a member is active. */
export const patchScimUser = httpOperation({
  ...provisioning,
  id: 'patch-scim-user',
  summary: 'Deactivate or reactivate a member for an identity provider (SCIM 2.0)',
  description:
    'With `active` false the person is no member any more: their sessions and keys are refused within a second, their keys and open invitations are revoked for good. With `active` true they are a member again, in the role that they had; keys stay revoked. `userName` and `roles` cannot be changed (400, `scimType` mutability), and have no effect next to `active` false. `externalId` is kept. Other attributes have no effect, as the answer shows. An organization whose owner is deactivated has none until the operator names another; they come back as an admin. Asked twice, it happens once.',
  method: 'PATCH',
  path: '/scim/v2/Users/{id}',
  params: byId,
  body: z
    .looseObject({
      schemas: z.array(z.string()).max(10).optional(),
      Operations: z.array(patchOperation).min(1).max(100),
    })
    .meta({ freeForm: true }),
  reply: scimUser,
  errors: ['user_not_found'],
  example: {
    schemas: [scimSchemas.patch],
    Operations: [{ op: 'replace', path: 'active', value: false }],
  },
});

/** Replaces a member, of which `active` and `externalId` alone have an effect. */
export const replaceScimUser = httpOperation({
  ...provisioning,
  id: 'replace-scim-user',
  summary: 'Deactivate or reactivate a member by their whole resource (SCIM 2.0)',
  description: 'Does what PATCH of the member does, with the attributes that the whole resource has.',
  method: 'PUT',
  path: '/scim/v2/Users/{id}',
  params: byId,
  body: z
    .looseObject({ schemas: z.array(z.string()).max(10).optional(), active: active.optional() })
    .meta({ freeForm: true }),
  reply: scimUser,
  errors: ['user_not_found'],
  example: { schemas: [scimSchemas.user], active: false },
});

/** Takes a member out for good. */
export const deleteScimUser = httpOperation({
  ...provisioning,
  id: 'delete-scim-user',
  summary: 'Remove a member for an identity provider (SCIM 2.0)',
  description: 'Deactivates the person for good. They return by an invitation.',
  method: 'DELETE',
  path: '/scim/v2/Users/{id}',
  params: byId,
  status: 204,
  reply: z.null(),
  errors: ['user_not_found'],
});

/** Which attributes an answer has; of groups, whether it has the members. */
const shownAttributes = {
  attributes: z
    .string()
    .max(1_000)
    .optional()
    .describe('without `members` among them, the members are left out'),
  excludedAttributes: z.string().max(1_000).optional().describe('with `members`, the members are left out'),
};

/** Finds groups. */
export const listScimGroups = httpOperation({
  ...provisioning,
  id: 'list-scim-groups',
  summary: 'Find the groups, one for each role but the owner’s (SCIM 2.0)',
  method: 'GET',
  path: '/scim/v2/Groups',
  query: z.strictObject({
    filter: groupFilter.optional(),
    startIndex: clampedQuery(1, limits.offset, 1).describe('number of the first one, from 1'),
    count: clampedQuery(0, limits.page, limits.page).describe('groups of the answer at most'),
    ...shownAttributes,
    sortBy: ignored,
    sortOrder: ignored,
  }),
  reply: scimGroupList,
});

/** Reads a group. */
export const getScimGroup = httpOperation({
  ...provisioning,
  id: 'get-scim-group',
  summary: 'Read a group (SCIM 2.0)',
  method: 'GET',
  path: '/scim/v2/Groups/{id}',
  params: byId,
  query: z.strictObject(shownAttributes),
  reply: scimGroup,
  errors: ['not_found'],
});

const roleChange =
  'A person who is added has the role of the group; one who is taken out of it is a viewer. A key gives only a role whose scopes it holds itself (403). The owner is not changed (400, `scimType` mutability), nor are groups made, renamed or deleted. Asked twice, it happens once.';

/** Adds members to a group and takes them out. */
export const patchScimGroup = httpOperation({
  ...provisioning,
  id: 'patch-scim-group',
  summary: 'Change roles by a patch of a group’s members (SCIM 2.0)',
  description: roleChange,
  method: 'PATCH',
  path: '/scim/v2/Groups/{id}',
  params: byId,
  body: z
    .looseObject({
      schemas: z.array(z.string()).max(10).optional(),
      Operations: z.array(patchOperation).min(1).max(100),
    })
    .meta({ freeForm: true }),
  reply: scimGroup,
  errors: ['not_found'],
  example: {
    schemas: [scimSchemas.patch],
    Operations: [{ op: 'add', path: 'members', value: [{ value: '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f' }] }],
  },
  noGeneratedSuccess: 'The members that it names have to exist.',
});

/** Replaces the members of a group. */
export const replaceScimGroup = httpOperation({
  ...provisioning,
  id: 'replace-scim-group',
  summary: 'Replace the members of a group (SCIM 2.0)',
  description: `${roleChange} Those who are not named are taken out; a resource without \`members\` changes nothing.`,
  method: 'PUT',
  path: '/scim/v2/Groups/{id}',
  params: byId,
  body: z
    .looseObject({
      schemas: z.array(z.string()).max(10).optional(),
      displayName: z.string().max(255).optional(),
      members: z
        .array(z.looseObject({ value: z.string().max(100) }))
        .max(1_000)
        .optional(),
    })
    .meta({ freeForm: true }),
  reply: scimGroup,
  errors: ['not_found'],
  example: { schemas: [scimSchemas.group] },
});

/** Describes the attributes of resources. */
export const listScimSchemas = httpOperation({
  ...provisioning,
  id: 'list-scim-schemas',
  summary: 'Read the schemas of SCIM 2.0 resources',
  method: 'GET',
  path: '/scim/v2/Schemas',
  reply: scimSchemaList,
});

/** Names the types of resources. */
export const listScimResourceTypes = httpOperation({
  ...provisioning,
  id: 'list-scim-resource-types',
  summary: 'Read the types of SCIM 2.0 resources',
  method: 'GET',
  path: '/scim/v2/ResourceTypes',
  reply: scimResourceTypeList,
});

/** Describes the supported part of SCIM. */
export const getScimConfig = httpOperation({
  ...provisioning,
  id: 'get-scim-config',
  summary: 'Read the supported part of SCIM 2.0',
  method: 'GET',
  path: '/scim/v2/ServiceProviderConfig',
  reply: scimConfig,
});
