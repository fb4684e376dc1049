import { z } from 'zod';
import { environmentSchema } from '../principal.ts';
import { scopeSchema } from '../scopes.ts';
import { id, timestamp } from './values.ts';

/** Whether a key can be used. */
export const apiKeyStatuses = ['active', 'expired', 'revoked'] as const;

/** An API key as it may be shown; the key itself is in the answer of its creation alone. */
export const apiKeyResource = z
  .object({
    id,
    name: z.string(),
    description: z.string().nullable(),
    environment: environmentSchema,
    key_prefix: z.string().describe('the beginning of the key, to know it from others'),
    scopes: z
      .array(scopeSchema)
      .describe('what it may do now: cut to what the role of the user behind it allows'),
    allowed_addresses: z
      .array(z.string())
      .describe('CIDRs from where the key may be used; none: from anywhere'),
    user_id: id.describe('the user who created the key'),
    parent_key_id: id.nullable().describe('the key that made it; null where a session or an operator did'),
    status: z.enum(apiKeyStatuses),
    created_at: timestamp,
    last_used_at: timestamp.nullable(),
    expires_at: timestamp.nullable(),
    revoked_at: timestamp.nullable(),
  })
  .meta({ id: 'ApiKey' });

/** See {@link apiKeyResource}. */
export type ApiKeyResource = z.output<typeof apiKeyResource>;
