import { z } from 'zod';
import { addressRange } from '../address-ranges.ts';
import { limits } from '../limits.ts';
import { httpOperation } from '../operation.ts';
import { environmentSchema } from '../principal.ts';
import { apiKeyResource, apiKeyStatuses } from '../resources/api-key.ts';
import { deleted, description, id, listOf, moment, name, pageQuery } from '../resources/values.ts';
import { scopeSchema, scopes } from '../scopes.ts';

const environment = environmentSchema
  .optional()
  .describe("default: the caller's own; only a session may name the other one");

/** Lists the API keys of an environment. */
export const listApiKeys = httpOperation({
  id: 'list-api-keys',
  service: 'organization',
  summary: 'List the API keys of an environment, newest first',
  method: 'GET',
  path: '/api-keys',
  access: 'api-keys:read',
  query: pageQuery.extend({
    environment,
    status: z.enum(apiKeyStatuses).optional(),
    parent_key_id: id.optional().describe('keys that this key has made'),
  }),
  reply: listOf(apiKeyResource),
});

/** Creates an API key. */
export const createApiKey = httpOperation({
  id: 'create-api-key',
  service: 'organization',
  summary: 'Create an API key; it is shown in this answer and never again',
  description:
    "The key acts for the user behind the caller: scopes that the user's role does not allow are left out, at creation and at each use; without any scope left the request is refused. A key grants only scopes that it holds itself, and its keys expire no later than itself. Reserved scopes may be put on any key. A key with allowed addresses creates keys for these addresses only.",
  method: 'POST',
  path: '/api-keys',
  access: 'api-keys:write',
  status: 201,
  body: z.strictObject({
    name,
    description: description.optional(),
    environment,
    scopes: z.array(scopeSchema).min(1).max(scopes.length),
    allowed_addresses: z
      .array(addressRange)
      .max(limits.keyAddresses)
      .optional()
      .describe(
        'addresses and CIDRs of IPv4 and IPv6 from where the key may be used; empty: from anywhere, or those of the creating key',
      ),
    expires_at: moment
      .nullish()
      .describe(
        'in the future, and no later than the expiry of the creating key; default: that of the creating key, else none',
      ),
  }),
  reply: apiKeyResource.extend({ key: z.string().describe('the key itself: keep it, it is not stored') }),
  errors: ['tier_limit'],
  example: {
    name: 'Deploy pipeline',
    description: 'Posts a message for each release',
    scopes: ['templates:read', 'messages:create'],
    allowed_addresses: ['0.0.0.0/0', '::/0'],
    expires_at: '2099-01-01T00:00:00Z',
  },
});

/** Revokes an API key. */
export const revokeApiKey = httpOperation({
  id: 'revoke-api-key',
  service: 'organization',
  summary: 'Revoke an API key for good; it is refused everywhere within a second',
  description:
    'Keys that it has created stay active, and invitations pending, unless `descendants` revokes them too, down the tree. `descendants` also works after the key itself was revoked.',
  method: 'DELETE',
  path: '/api-keys/{id}',
  access: 'api-keys:write',
  params: z.strictObject({ id }),
  query: z.strictObject({
    environment,
    descendants: z
      .enum(['true', 'false'])
      .optional()
      .describe(
        'true: also revoke the keys that it has created, those created by these, and the pending invitations of all',
      ),
  }),
  reply: deleted,
  errors: ['not_found'],
});
