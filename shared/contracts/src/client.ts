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

/** The agent behind a request that was made through the tools of the Model Context Protocol. */
export interface Agent {
  /** Its own name for itself; null where its messages give none. */
  name: string | null;
}

/** The beginning of the user agent of requests made by a tool. */
export const agentPrefix = (name: string | undefined): string => (name === undefined ? 'mcp' : `mcp ${name}`);

/** The agent of a user agent that was made with {@link agentPrefix}; null for any other. */
export const agentOf = (userAgent: string | null): Agent | null => {
  const found = /^mcp(?: ([^;]+))?(?:;|$)/.exec(userAgent ?? '');
  return found && { name: found[1]?.trim() || null };
};
