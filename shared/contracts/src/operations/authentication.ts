import { z } from 'zod';
import { internalOperation } from '../operation.ts';
import { principalSchema } from '../principal.ts';

/** Identifies the principal of an API key. The key itself is never sent: only its SHA-256 in lower-case hex. */
export const authenticateKey = internalOperation({
  id: 'authenticate-key',
  service: 'organization',
  readOnly: true,
  summary: 'Find the principal of an API key',
  callers: ['gateway'],
  input: z.object({ key_digest: z.string() }),
  reply: z.object({
    principal: principalSchema,
    expires_at: z.iso.datetime().nullable(),
    allowed_addresses: z
      .array(z.string())
      .optional()
      .describe('CIDRs from where the key may be used; the gateway checks each request'),
  }),
  errors: ['invalid_token', 'access_denied'],
});
