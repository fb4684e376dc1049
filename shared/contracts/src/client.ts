import { z } from 'zod';

/** Characters of a user agent that are kept. */
export const longestUserAgent = 256;

/** Where a request came from, as its gateway saw it. */
export const clientSchema = z.object({
  address: z
    .string()
    .max(45)
    .nullable()
    .describe('IP address: of the connection, or what a trusted proxy says'),
  user_agent: z
    .string()
    .max(longestUserAgent)
    .nullable()
    .describe('header `User-Agent`, as the client chose it: cut, and without what looks like a secret'),
});

/** See {@link clientSchema}. */
export type Client = z.output<typeof clientSchema>;
