import { databaseSettings, processSettings } from '@stanza/runtime';
import { z } from 'zod';

/** Settings of the gateway. */
export const settings = z.object({
  ...processSettings,
  ...databaseSettings,
  STANZA_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .default(8787)
    .describe('Port of the API; 0 takes any free one'),
  STANZA_HOST: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('Address on which the API listens; 0.0.0.0 in a container'),
  STANZA_IDEMPOTENCY_FAILURE_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .max(3_650)
    .default(90)
    .describe(
      'Days for which a keyed answer of 500 and above is remembered; those below it always for 24 hours',
    ),
});

/** See {@link settings}. */
export type GatewaySettings = z.output<typeof settings>;
