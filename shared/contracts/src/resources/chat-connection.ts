import { z } from 'zod';
import { id, timestamp } from './values.ts';

/** States of a connection: it works, its token was refused for good, or no configured key decrypts its token. */
export const connectionStates = ['active', 'revoked', 'unreadable'] as const;

/** Origins of a connection: a given token, or an installation through the chat platform. */
export const connectionSources = ['token', 'install'] as const;

/** Kinds of calls to the platform; each fails, and recovers, on its own. */
export const chatCalls = ['account', 'post', 'lookup', 'history', 'update', 'view', 'list'] as const;

/** The chat connection of an environment; its token is never a part of any answer. */
export const chatConnection = z
  .object({
    id,
    state: z
      .enum(connectionStates)
      .describe(
        'active: it works; revoked: the platform refused its token, connect again; unreadable: its token cannot be decrypted, connect again',
      ),
    source: z.enum(connectionSources),
    workspace_id: z.string(),
    workspace_name: z.string(),
    bot_user_id: z.string().describe('the user that messages come from'),
    scopes: z
      .array(z.string())
      .nullable()
      .describe('what the token allows; null when the platform did not say'),
    refusal: z.string().nullable().describe("the platform's error by which a revoked token was noticed"),
    last_checked_at: timestamp.describe('when the platform last said how the token stands'),
    breakers: z
      .array(z.object({ calls: z.enum(chatCalls), state: z.enum(['open', 'half_open']) }))
      .describe(
        'calls that are refused for a moment, since the platform failed at too many of them of late; half_open: one is let through to see. Empty when all is well. As seen by the process that answers',
      ),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'ChatConnection' });

/** See {@link chatConnection}. */
export type ChatConnection = z.output<typeof chatConnection>;
