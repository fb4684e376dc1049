import * as contracts from '@stanza/contracts';
import { audit, type CallContext, handle, Tenant } from '@stanza/runtime';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { sealAccess } from '../chat/access.ts';
import { lookUp } from '../chat/lookup.ts';
import { Deadline } from '../domain/deadline.ts';
import { callFailure } from '../domain/refusals.ts';
import type { Parts } from '../parts.ts';
import { putConnection } from '../store/connections.ts';

const method = 'auth.test';
/** Tokens that have not been tried belong to no workspace yet, and share a breaker. */
const newcomers = 'not connected yet';

const identity = z.object({
  team_id: z.string().min(1),
  team: z.string().default(''),
  user_id: z.string().min(1),
});

/** Asks the platform whom a token speaks for. */
const identify = async (
  { chat, clock, log }: Parts,
  token: string,
  context: CallContext,
): Promise<z.output<typeof identity>> => {
  const call = { method, args: {}, token, workspaceId: newcomers, log } as const;
  const outcome = await lookUp(chat, call, Deadline.forCaller(clock, context.deadline), []);
  if (outcome.kind !== 'ok') throw callFailure(method, outcome);
  const parsed = identity.safeParse(outcome.data);
  if (parsed.success) return parsed.data;
  throw callFailure(method, { kind: 'ambiguous', reason: 'malformed_answer' });
};

/** Connects an environment to the workspace of a bot token, in place of the one before. */
export const putChatConnection = (parts: Parts) =>
  handle(contracts.putChatConnection, async ({ input, context }) => {
    const tenant = new Tenant(input.organization_id, input.environment);
    const { team_id, team, user_id } = await identify(parts, input.bot_token, context);
    const id = uuidv7();
    const { ciphertext, keyId } = sealAccess(tenant, id, input.bot_token, parts.keyring);
    const at = parts.clock.now();
    await parts.database.transaction(async (tx) => {
      await putConnection(tenant, tx, {
        id,
        workspace_id: team_id,
        workspace_name: team,
        bot_user_id: user_id,
        token_ciphertext: ciphertext,
        token_key_id: keyId,
        created_at: at,
      });
      await audit(tx, parts.outbox, context, {
        action: 'chat_connection.put',
        subject: { kind: 'chat_connection', id },
        changes: { workspace_id: team_id, workspace_name: team },
        owner: { organization_id: tenant.organizationId, environment: tenant.environment },
        at,
      });
    });
    return { workspace_id: team_id, workspace_name: team, bot_user_id: user_id };
  });
