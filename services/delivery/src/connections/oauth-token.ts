import { CodedError } from '@stanza/contracts';
import type { CallContext } from '@stanza/runtime';
import { z } from 'zod';
import type { ChatOutcome } from '../chat/platform.ts';
import { Deadline } from '../deadline.ts';
import type { Dependencies } from '../dependencies.ts';
import type { ChatApp } from './chat-app.ts';
import { newcomers } from './identify.ts';
import type { ConnectionIdentity } from './store/connections.ts';

const method = 'oauth.v2.access';

/** The platform's errors about the app itself, which only the operator can fix. */
const appTroubles = new Set([
  'bad_client_secret',
  'bad_redirect_uri',
  'invalid_client_id',
  'invalid_client',
  'oauth_authorization_url_mismatch',
]);

const granted = z.object({
  access_token: z.string().min(1).max(1024),
  bot_user_id: z.string().min(1),
  scope: z.string().default(''),
  team: z.object({ id: z.string().min(1), name: z.string().default('') }),
  expires_in: z.undefined().optional(),
});

/** A token from the platform, and its owner. */
export interface Granted {
  token: string;
  identity: ConnectionIdentity;
}

const unfinished = 'Nothing was connected; start again.';

const failureOf = (outcome: Exclude<ChatOutcome, { kind: 'ok' }>): CodedError => {
  switch (outcome.kind) {
    case 'refused': {
      const code = appTroubles.has(outcome.error) ? 'misconfigured' : 'chat_api_error';
      const message = `The chat platform returned no token. ${unfinished}`;
      return new CodedError(code, { message, error_details: JSON.stringify(outcome.error) });
    }
    case 'rate_limited': {
      const message = `The chat platform is rate limiting. ${unfinished}`;
      return new CodedError('rate_limited', { message, retry_after: outcome.retryAfter });
    }
    case 'not_sent': {
      const message = `The chat platform is unreachable at the moment. ${unfinished}`;
      return new CodedError('service_unavailable', { message, retry_after: 5 });
    }
    case 'ambiguous':
      return new CodedError('chat_api_error', {
        message: `The chat platform gave an invalid answer. ${unfinished}`,
        error_details: JSON.stringify(outcome.reason),
      });
  }
};

/** Tokens that expire within hours, and those of whole enterprises, result from settings of the app. */
const unusable = (): CodedError =>
  new CodedError('misconfigured', {
    message: `The chat platform returned an unsupported token: turn off token rotation for the app, and install it in one workspace. ${unfinished}`,
  });

/**
 * Exchanges a code for a token, once: a code is valid for one request.
 * @throws CodedError with the reason of a failure
 */
export const exchangeCode = async (
  { chat, clock, log }: Pick<Dependencies, 'chat' | 'clock' | 'log'>,
  app: ChatApp,
  code: string,
  context: CallContext,
): Promise<Granted> => {
  const { clientId: client_id, clientSecret: client_secret, redirectUrl: redirect_uri } = app;
  const { outcome } = await chat.call({
    method,
    args: { client_id, client_secret, redirect_uri, code },
    workspaceId: newcomers,
    timeoutMs: Deadline.forCaller(clock, context.deadline).remaining,
    log,
  });
  if (outcome.kind !== 'ok') throw failureOf(outcome);
  const parsed = granted.safeParse(outcome.data);
  if (!parsed.success) throw unusable();
  const { access_token: token, bot_user_id, scope, team } = parsed.data;
  const scopes = scope.split(',').filter((name) => name !== '');
  const { id: workspace_id, name: workspace_name } = team;
  // The platform says where the workspace is to those who hold its token.
  return { token, identity: { workspace_id, workspace_name, workspace_url: null, bot_user_id, scopes } };
};
