import { z } from 'zod';
import { roles } from '../scopes.ts';
import { id, timestamp } from './values.ts';

/** Names of the schemas of RFC 7643 and of the messages of RFC 7644. */
export const scimSchemas = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  schema: 'urn:ietf:params:scim:schemas:core:2.0:Schema',
  resourceType: 'urn:ietf:params:scim:schemas:core:2.0:ResourceType',
  config: 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig',
  list: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
  patch: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
  error: 'urn:ietf:params:scim:api:messages:2.0:Error',
} as const;

/** A member as an identity provider sees them. */
export const scimUser = z
  .object({
    schemas: z.array(z.literal(scimSchemas.user)),
    id,
    externalId: z.string().optional().describe('the id that the identity provider gave'),
    userName: z.string().describe('the e-mail address'),
    name: z.object({ givenName: z.string(), familyName: z.string() }),
    emails: z.array(z.object({ value: z.string(), type: z.literal('work'), primary: z.literal(true) })),
    roles: z.array(z.object({ value: z.enum(roles), primary: z.literal(true) })),
    groups: z
      .array(z.object({ value: id, display: z.string() }))
      .describe('the group of their role; empty for the owner'),
    active: z.boolean().describe('false: no session and no key of theirs is let in'),
    meta: z.object({
      resourceType: z.literal('User'),
      created: timestamp.describe('when they joined the organization'),
      location: z.string().describe('relative to the base address of SCIM'),
    }),
  })
  .meta({ id: 'ScimUser' });

/** See {@link scimUser}. */
export type ScimUser = z.output<typeof scimUser>;

const pageOf = <R extends z.ZodType>(resource: R) =>
  z.object({
    schemas: z.array(z.literal(scimSchemas.list)),
    totalResults: z.int(),
    startIndex: z.int(),
    itemsPerPage: z.int(),
    Resources: z.array(resource),
  });

/** A page of members. */
export const scimList = pageOf(scimUser).meta({ id: 'ScimList' });

/** The roles that are groups: all but that of the owner, which is handed over by transfer alone. */
export const scimGroupRoles = ['viewer', 'member', 'admin'] as const;

/** A role as an identity provider sees it. */
export const scimGroup = z
  .object({
    schemas: z.array(z.literal(scimSchemas.group)),
    id,
    displayName: z.enum(scimGroupRoles),
    members: z
      .array(z.object({ value: id, display: z.string(), type: z.literal('User') }))
      .optional()
      .describe('those whose role it is, deactivated ones included; absent where the request excludes it'),
    meta: z.object({ resourceType: z.literal('Group'), location: z.string() }),
  })
  .meta({ id: 'ScimGroup' });

/** See {@link scimGroup}. */
export type ScimGroup = z.output<typeof scimGroup>;

/** The groups. */
export const scimGroupList = pageOf(scimGroup).meta({ id: 'ScimGroupList' });

const attributeFacts = {
  name: z.string(),
  type: z.enum(['string', 'boolean', 'complex']),
  multiValued: z.boolean(),
  required: z.boolean(),
  caseExact: z.boolean(),
  mutability: z.enum(['readOnly', 'readWrite', 'immutable']),
  returned: z.enum(['always', 'default']),
  uniqueness: z.enum(['none', 'server']),
};

/** A schema (RFC 7643, 7). */
export const scimSchema = z
  .object({
    schemas: z.array(z.literal(scimSchemas.schema)),
    id: z.string(),
    name: z.string(),
    description: z.string(),
    attributes: z.array(
      z.object({ ...attributeFacts, subAttributes: z.array(z.object(attributeFacts)).optional() }),
    ),
    meta: z.object({ resourceType: z.literal('Schema'), location: z.string() }),
  })
  .meta({ id: 'ScimSchema' });

/** See {@link scimSchema}. */
export type ScimSchema = z.output<typeof scimSchema>;

/** The schemas. */
export const scimSchemaList = pageOf(scimSchema).meta({ id: 'ScimSchemaList' });

/** The types of resources (RFC 7643, 6). */
export const scimResourceTypeList = pageOf(
  z.object({
    schemas: z.array(z.literal(scimSchemas.resourceType)),
    id: z.string(),
    name: z.string(),
    endpoint: z.string().describe('relative to the base address of SCIM'),
    schema: z.string(),
    meta: z.object({ resourceType: z.literal('ResourceType'), location: z.string() }),
  }),
).meta({ id: 'ScimResourceTypeList' });

const supported = z.object({ supported: z.boolean() });

/** The supported part of SCIM; see RFC 7643, 5. */
export const scimConfig = z
  .object({
    schemas: z.array(z.literal(scimSchemas.config)),
    patch: supported,
    bulk: supported.extend({ maxOperations: z.int(), maxPayloadSize: z.int() }),
    filter: supported.extend({ maxResults: z.int() }),
    changePassword: supported,
    sort: supported,
    etag: supported,
    authenticationSchemes: z.array(
      z.object({ type: z.literal('oauthbearertoken'), name: z.string(), description: z.string() }),
    ),
  })
  .meta({ id: 'ScimServiceProviderConfig' });
