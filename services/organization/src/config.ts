import { commonSettings } from '@stanza/runtime';
import { z } from 'zod';
import { keyHashSecrets } from './domain/key-hash.ts';
import { configuredTiers } from './domain/tiers.ts';

/** Settings of the organization service. */
export const settings = z.object({
  ...commonSettings,
  STANZA_KEY_HASH_SECRETS: keyHashSecrets.describe(
    'Secrets that API keys are hashed with: <id>:<base64 of 32 bytes or more>, several separated by commas; new keys use the first, all are looked up',
  ),
  STANZA_TIERS: configuredTiers.describe(
    'JSON object with what differs from the default tiers, by tier: {"free": {"monthly_credits": 2000}}',
  ),
});

/** See {@link settings}. */
export type OrganizationSettings = z.output<typeof settings>;
