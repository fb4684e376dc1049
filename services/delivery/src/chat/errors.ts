import { type ChatMethod, CodedError, type ErrorCode } from '@stanza/contracts';
import type { ChatOutcome } from './platform.ts';

const destination = ['channel_not_found', 'not_in_channel', 'is_archived', 'user_not_in_channel'];
/** The message is no longer what was sent: gone from its channel, or no longer the app's to change. */
const message = ['message_not_found', 'cant_update_message', 'cant_delete_message', 'edit_window_closed'];
const person = ['users_not_found', 'user_not_found', 'user_disabled'];
/** The app, its token or its account lacks access: every call fails until the workspace is connected again. */
const connection = [
  'access_denied',
  'accesslimited',
  'account_inactive',
  'app_access_restricted',
  'ekm_access_denied',
  'enterprise_is_restricted',
  'invalid_auth',
  'missing_scope',
  'no_permission',
  'not_allowed_token_type',
  'not_authed',
  'org_login_required',
  'team_access_not_granted',
  'token_expired',
  'token_revoked',
  'two_factor_setup_required',
];

/** The subset that means a permanently revoked token, for any use. */
const deadToken = new Set(['account_inactive', 'invalid_auth', 'token_expired', 'token_revoked']);

const codes = new Map<string, ErrorCode>([
  ...message.map((name) => [name, 'invalid_state'] as const),
  ...destination.map((name) => [name, 'invalid_destination'] as const),
  ...person.map((name) => [name, 'chat_user_not_found'] as const),
  ...connection.map((name) => [name, 'chat_not_connected'] as const),
]);

/** Errors of the platform itself, which leave the outcome of the call unknown. */
const ownFaults = new Set(['internal_error', 'fatal_error', 'request_timeout', 'service_unavailable']);

/** True when an `ok: false` leaves the outcome unknown. */
export const isPlatformFault = (error: string): boolean => ownFaults.has(error);

/** A permanent outcome: done, or refused. Any other is transient. */
export const isFinal = (outcome: ChatOutcome): boolean =>
  outcome.kind === 'ok' || (outcome.kind === 'refused' && !isPlatformFault(outcome.error));

const codeOf = (method: ChatMethod, error: string): ErrorCode => {
  if (error.startsWith('restricted_action')) return 'invalid_destination';
  return codes.get(error) ?? (method === 'conversations.open' ? 'chat_dm_failed' : 'chat_api_error');
};

const unchangeable: Readonly<Record<string, string>> = {
  message_not_found:
    'The message is no longer in its channel: somebody has deleted it there. Send a new one.',
  cant_update_message: 'The platform does not let the app change this message. Send a new one.',
  cant_delete_message: 'The platform does not let the app delete this message. Delete it in the workspace.',
  edit_window_closed:
    'The workspace lets messages be changed for some time after their post only, and that has passed. Send a new one.',
};

/** The caller's error for a refusal by the platform. */
export const refusal = (method: ChatMethod, error: string, notes: readonly string[] = []): CodedError => {
  const code = codeOf(method, error);
  return new CodedError(code, {
    ...(code === 'invalid_state' && { message: unchangeable[error] ?? unchangeable.message_not_found }),
    error_details: JSON.stringify(error),
    ...(notes.length > 0 && { details: notes.join('\n') }),
  });
};

/** True when the platform has permanently refused the token, for any use. */
export const isDeadToken = (error: string): boolean => deadToken.has(error);

/** Seconds after which an unreachable platform may be tried again. */
const unreachableRetryAfter = 5;

/**
 * The caller's error for a failed call that certainly had no effect: any failed lookup, or a post, update or deletion that
 * was never sent.
 */
export const callFailure = (
  method: ChatMethod,
  outcome: Exclude<ChatOutcome, { kind: 'ok' }>,
): CodedError => {
  switch (outcome.kind) {
    case 'refused':
      return refusal(method, outcome.error, outcome.notes);
    case 'rate_limited':
      return slowedDown(outcome.retryAfter);
    case 'not_sent':
      return new CodedError('service_unavailable', {
        message: 'The chat platform is unreachable at the moment. Nothing was posted or changed.',
        error_details: JSON.stringify(outcome.reason),
        retry_after: unreachableRetryAfter,
      });
    case 'ambiguous':
      return new CodedError(method === 'conversations.open' ? 'chat_dm_failed' : 'chat_api_error', {
        message: 'The chat platform gave an invalid answer. Nothing was posted or changed.',
        error_details: JSON.stringify(outcome.reason),
      });
  }
};

/** The error of a message whose slot comes after its deadline. */
export const slowedDown = (retryAfter: number): CodedError =>
  new CodedError('rate_limited', {
    message:
      'The rate limit of the chat platform leaves no call before the deadline. Nothing was posted or changed.',
    retry_after: Math.max(1, Math.ceil(retryAfter)),
  });

/** The error of a message with an unknown outcome. */
export const outcomeUnknown = (messageId: string): CodedError =>
  new CodedError('delivery_outcome_unknown', { details: messageId });
