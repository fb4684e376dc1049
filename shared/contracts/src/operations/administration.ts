import { z } from 'zod';
import { addressRange } from '../address-ranges.ts';
import { limits } from '../limits.ts';
import { internalOperation } from '../operation.ts';
import { environmentSchema } from '../principal.ts';
import { messageStatuses } from '../resources/message.ts';
import { credits, id } from '../resources/values.ts';
import { roles, scopeSchema } from '../scopes.ts';
import { tierNames } from '../tiers.ts';

/**
 * An address does not identify the person who signs in: the first subject vouched for by its provider is bound to it.
 */
const existing = z
  .boolean()
  .optional()
  .describe('the user of the address signs in already, and is the intended person');

/** Creates an organization with its owner and its credit account. Idempotent by name and owner e-mail. */
export const createOrganization = internalOperation({
  id: 'create-organization',
  service: 'organization',
  summary: 'Create an organization and its owner',
  callers: ['admin'],
  input: z.object({
    name: z.string().min(1).max(255),
    tier: z.enum(tierNames).default('free'),
    owner_email: z.email(),
    owner_first_name: z.string().default(''),
    owner_last_name: z.string().default(''),
    existing,
    credits: z.int().min(0).optional().describe("first grant; default: the tier's monthly credits"),
  }),
  reply: z.object({ organization_id: id, user_id: id, created: z.boolean() }),
  errors: ['already_exists'],
});

/** Adds a member; for operators, who need no invitation. */
export const addMember = internalOperation({
  id: 'add-member',
  service: 'organization',
  summary: 'Add a user to an organization',
  callers: ['admin'],
  input: z.object({
    organization_id: id,
    email: z.email(),
    first_name: z.string().default(''),
    last_name: z.string().default(''),
    role: z.enum(roles),
    existing,
  }),
  reply: z.object({ user_id: id }),
  errors: ['organization_not_found', 'access_denied', 'already_exists'],
});

/** Makes an API key for a user of an organization; the key is shown once. */
export const createKey = internalOperation({
  id: 'create-key',
  service: 'organization',
  summary: 'Create an API key',
  callers: ['admin'],
  input: z.object({
    organization_id: id,
    user_id: id.optional().describe('default: the owner'),
    environment: environmentSchema.default('production'),
    name: z.string().min(1).max(255),
    description: z.string().max(2000).optional(),
    scopes: z.array(scopeSchema).optional().describe("default: all of the role's"),
    expires_at: z.iso.datetime().optional(),
    allowed_addresses: z
      .array(addressRange)
      .max(limits.keyAddresses)
      .optional()
      .describe('default: from anywhere'),
  }),
  reply: z.object({ key_id: id, key: z.string(), key_prefix: z.string(), scopes: z.array(z.string()) }),
  errors: ['organization_not_found', 'user_not_found', 'insufficient_scope'],
});

/** Revokes an API key; every gateway refuses it within a second. */
export const revokeKey = internalOperation({
  id: 'revoke-key',
  service: 'organization',
  summary: 'Revoke an API key',
  callers: ['admin'],
  input: z.object({
    organization_id: id,
    key_id: id,
    descendants: z
      .boolean()
      .optional()
      .describe(
        'with the keys that it has created, directly or through others, and the pending invitations of all',
      ),
  }),
  reply: z.object({ revoked: z.boolean() }),
  errors: ['not_found'],
});

/** Suspends or reinstates an organization. */
export const setOrganizationStatus = internalOperation({
  id: 'set-organization-status',
  service: 'organization',
  summary: 'Suspend or reinstate an organization',
  callers: ['admin'],
  input: z.object({ organization_id: id, status: z.enum(['active', 'suspended']) }),
  reply: z.object({ status: z.string() }),
  errors: ['organization_not_found'],
});

/** Grants credits. Idempotent by grant id. */
export const grantCredits = internalOperation({
  id: 'grant-credits',
  service: 'organization',
  summary: 'Grant credits',
  callers: ['admin'],
  input: z.object({
    organization_id: id,
    grant_id: id.describe('chosen by the caller: the same grant is given once'),
    amount: z
      .int()
      .min(-1_000_000_000)
      .max(1_000_000_000)
      .refine((amount) => amount !== 0, { message: 'must not be 0' })
      .describe('negative takes credits away'),
    reason: z.string().min(1).max(255),
  }),
  reply: z.object({ balance: credits }),
  errors: ['organization_not_found', 'insufficient_credits'],
});

/** Lists organizations, for operators. */
export const listOrganizations = internalOperation({
  id: 'list-organizations',
  service: 'organization',
  readOnly: true,
  summary: 'List organizations',
  callers: ['admin'],
  input: z.object({ limit: z.int().min(1).max(1000).default(100), offset: z.int().min(0).default(0) }),
  reply: z.object({
    organizations: z.array(
      z.object({
        id,
        name: z.string(),
        tier: z.enum(tierNames),
        status: z.string(),
        balance: credits,
        reserved: credits,
      }),
    ),
    total: z.int(),
  }),
});

/** Counts messages by state, for operators and checks. */
export const countMessages = internalOperation({
  id: 'count-messages',
  service: 'delivery',
  readOnly: true,
  summary: 'Count messages by state',
  callers: ['admin'],
  input: z.object({ organization_id: id, environment: environmentSchema }),
  reply: z.object({ counts: z.partialRecord(z.enum(messageStatuses), z.int()) }),
});
