import { z } from 'zod';

/** Most characters of a stored user agent. */
export const longestUserAgent = 256;

/** The origin of a request, as its gateway saw it. */
export const clientSchema = z.object({
  address: z
    .string()
    .max(45)
    .nullable()
    .describe('IP address: of the connection, or as reported by a trusted proxy'),
  user_agent: z
    .string()
    .max(longestUserAgent)
    .nullable()
    .describe('header `User-Agent` as sent by the client, truncated and without secrets'),
});

/** See {@link clientSchema}. */
export type Client = z.output<typeof clientSchema>;
