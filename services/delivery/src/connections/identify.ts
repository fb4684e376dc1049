import { CodedError } from '@stanza/contracts';
import type { CallContext } from '@stanza/runtime';
import { z } from 'zod';
import { callFailure } from '../chat/errors.ts';
import { lookUp } from '../chat/lookup.ts';
import type { ChatOutcome } from '../chat/platform.ts';
import { Deadline } from '../deadline.ts';
import type { Dependencies } from '../dependencies.ts';
import type { ConnectionIdentity } from './store/connections.ts';

const method = 'auth.test';
/** Unverified tokens belong to no workspace yet, and share a breaker. */
export const newcomers = 'not-connected-yet';

const identity = z.object({
  team_id: z.string().min(1),
  team: z.string().default(''),
  // Without it messages have no links, which is no reason to refuse a token.
  url: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .nullable()
    .catch(null),
  user_id: z.string().min(1),
  response_metadata: z
    .object({ scopes: z.array(z.string()).optional() })
    .optional()
    .catch(undefined),
});

/** Asks the platform for the owner of a token, and returns the outcome. */
export const askIdentity = (
  { chat, clock, log }: Pick<Dependencies, 'chat' | 'clock' | 'log'>,
  token: string,
  workspaceId: string,
  context: CallContext,
): Promise<ChatOutcome> => {
  const call = { method, args: {}, token, workspaceId, log } as const;
  return lookUp(chat, call, Deadline.forCaller(clock, context.deadline), []);
};

/** What the platform answered about the owner of a token; undefined where it gave no such answer. */
export const identityIn = (outcome: ChatOutcome): ConnectionIdentity | undefined => {
  const parsed = identity.safeParse(outcome.kind === 'ok' ? outcome.data : undefined);
  if (!parsed.success) return undefined;
  const { team_id, team, url, user_id, response_metadata } = parsed.data;
  return {
    workspace_id: team_id,
    workspace_name: team,
    workspace_url: url && new URL('/', url).href,
    bot_user_id: user_id,
    scopes: response_metadata?.scopes ?? null,
  };
};

/**
 * Reads the platform's answer.
 * @throws CodedError `chat_not_connected` when it refused the token, others when it was unavailable
 */
export const readIdentity = (outcome: ChatOutcome): ConnectionIdentity => {
  if (outcome.kind !== 'ok') throw identityFailure(outcome);
  const read = identityIn(outcome);
  if (read) return read;
  throw callFailure(method, { kind: 'ambiguous', reason: 'malformed_answer' });
};

const identityFailure = (outcome: Exclude<ChatOutcome, { kind: 'ok' }>): CodedError => {
  const failure = callFailure(method, outcome);
  if (failure.code !== 'chat_not_connected') return failure;
  const message = 'The chat platform refuses the token; see error_details for its reason.';
  return new CodedError('chat_not_connected', { ...failure.facts, message });
};

const ofEnterprise = z.object({ is_enterprise_install: z.literal(true) });

/**
 * Refuses the token of a whole enterprise: channels, people and clicks belong to workspaces, and it to none.
 * @throws CodedError `chat_not_connected`
 */
export const refuseEnterprise = (outcome: ChatOutcome): void => {
  if (outcome.kind !== 'ok' || !ofEnterprise.safeParse(outcome.data).success) return;
  throw new CodedError('chat_not_connected', {
    message: 'The token belongs to a whole enterprise. Install the app in one workspace, and use its token.',
  });
};
