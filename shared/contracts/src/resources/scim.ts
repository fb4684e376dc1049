import { z } from 'zod';
import { roles } from '../scopes.ts';
import { id, timestamp } from './values.ts';

/** Names of the schemas of RFC 7643 and of the messages of RFC 7644. */
export const scimSchemas = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
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
    userName: z.string().describe('the e-mail address'),
    name: z.object({ givenName: z.string(), familyName: z.string() }),
    emails: z.array(z.object({ value: z.string(), type: z.literal('work'), primary: z.literal(true) })),
    roles: z.array(z.object({ value: z.enum(roles), primary: z.literal(true) })),
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

/** A page of members. */
export const scimList = z
  .object({
    schemas: z.array(z.literal(scimSchemas.list)),
    totalResults: z.int(),
    startIndex: z.int(),
    itemsPerPage: z.int(),
    Resources: z.array(scimUser),
  })
  .meta({ id: 'ScimList' });

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
