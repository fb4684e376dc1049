import { commonSettings, filledText, wholeNumber } from '@stanza/runtime';
import { z } from 'zod';
import { keyHashSecrets } from './domain/key-hash.ts';
import { configuredTiers } from './domain/tiers.ts';

/** Settings of the organization service. */
export const settings = z.object({
  ...commonSettings,
  STANZA_KEY_HASH_SECRETS: keyHashSecrets
    .describe(
      'Secrets that API keys are hashed with: <id>:<base64 of 32 bytes or more>, several separated by commas; new keys use the first, lookups try all',
    )
    .meta({ example: 'h2:…,h1:…', secret: true }),
  STANZA_TIERS: configuredTiers.describe(
    'JSON object with the differences from the default tiers, by tier: {"free": {"monthly_credits": 2000}}',
  ),
  STANZA_SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .describe(
      'Mail server for invitations: smtp://user:password@host:587, or smtps://; without it no mail is sent',
    )
    .meta({ example: 'smtp://stanza:…@mail.example.com:587', secret: true }),
  STANZA_SMTP_FROM: filledText
    .default('Stanza <no-reply@localhost>')
    .describe('Sender of invitations: an address, or a name with the address in angle brackets'),
  STANZA_INVITATION_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Your page that accepts invitations; mails link to it with ?token=. Without it a mail contains the token only',
    )
    .meta({ example: 'https://app.example.com/join' }),
  STANZA_INVITATION_DAYS: wholeNumber(1, 365).default(7).describe('Days after which an invitation expires'),
  STANZA_AUDIT_DAYS: wholeNumber(30, 3_650)
    .default(90)
    .describe(
      'Days for which entries of the audit log are kept; the database keeps the service from deleting younger ones than 30 days',
    ),
  STANZA_AUDIT_STREAM: filledText
    .optional()
    .describe(
      'File that receives every entry of the audit log of every organization as a line of JSON, at least once; without it no file is written',
    )
    .meta({ example: '/var/log/stanza/audit.ndjson' }),
  STANZA_RESERVATION_DAYS: wholeNumber(30, 3_650)
    .default(120)
    .describe(
      'Days for which settled reservations of credits are kept; more than STANZA_MESSAGE_DAYS of delivery',
    ),
  STANZA_ERASURE_DELAY_SECONDS: wholeNumber(0, 86_400)
    .default(60)
    .describe(
      'Seconds from the deletion of an organization until its rows are erased; requests and jobs in flight end within half a minute',
    ),
});

/** See {@link settings}. */
export type OrganizationSettings = z.output<typeof settings>;
