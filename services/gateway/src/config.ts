import { processSettings } from '@stanza/runtime';
import { z } from 'zod';

/** Settings of the gateway. */
export const settings = z.object({
  ...processSettings,
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
});

/** See {@link settings}. */
export type GatewaySettings = z.output<typeof settings>;
