import { z } from 'zod';
import { internalOperation } from '../operation.ts';

/** Kinds of secrets that are stored encrypted. */
export const encryptedKinds = [
  'chat_token',
  'destination_headers',
  'signing_secret',
  'previous_signing_secret',
] as const;

/** Encrypts the secrets of older keys again with the newest key, so that the older keys can be removed. */
export const rotateEncryption = internalOperation({
  id: 'rotate-encryption',
  service: 'delivery',
  summary: 'Encrypt every stored secret with the newest key',
  callers: ['admin'],
  input: z.object({}),
  reply: z.object({
    key_id: z.string().describe('the newest key'),
    done: z.boolean().describe('false when the time was up first: call again'),
    secrets: z.array(
      z.object({
        kind: z.enum(encryptedKinds),
        rotated: z.int(),
        unreadable: z.int().describe('no configured key reads them; they were left as they are'),
      }),
    ),
  }),
  deadlineMs: 15_000,
});
