import { commonSettings } from '@stanza/runtime';
import { z } from 'zod';
import { encryptionKeys } from './domain/encryption-keys.ts';

/** Settings of the delivery service. */
export const settings = z.object({
  ...commonSettings,
  STANZA_CHAT_API_URL: z
    .url({ protocol: /^https?$/ })
    .default('https://slack.com/api/')
    .describe("Address below which the chat platform's methods stand"),
  STANZA_CHAT_SIGNING_SECRET: z
    .string()
    .min(1)
    .optional()
    .describe('Secret with which the chat platform signs what it sends to Stanza'),
  STANZA_ENCRYPTION_KEYS: encryptionKeys.describe(
    'Keys that stored tokens are encrypted with: <id>:<base64 of 32 bytes>, several separated by commas; new tokens use the first, all can read',
  ),
  STANZA_MESSAGE_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(3_650)
    .default(90)
    .describe(
      'Days for which sent and failed messages are kept in the log; open and unknown ones are kept for good',
    ),
});

/** See {@link settings}. */
export type DeliverySettings = z.output<typeof settings>;
