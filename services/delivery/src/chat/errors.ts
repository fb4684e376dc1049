import { type ChatMethod, CodedError, type ErrorCode } from '@stanza/contracts';
import type { ChatOutcome } from './chat-outcome.ts';

/** Seconds to wait where the platform asks to slow down and does not say for how long. */
export const defaultRetryAfter = 30;

const destination = ['channel_not_found', 'not_in_channel', 'is_archived'];
const person = ['users_not_found', 'user_not_found', 'user_disabled'];
const limit = ['ratelimited', 'rate_limited', 'message_limit_exceeded'];
/** The app, its token or its account may not: nothing will work until somebody connects the workspace again. */
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

/** Of these, by which the platform says that the token itself is dead, whatever it is used for. */
const deadToken = new Set(['account_inactive', 'invalid_auth', 'token_expired', 'token_revoked']);

const codes = new Map<string, ErrorCode>([
  ...destination.map((name) => [name, 'invalid_destination'] as const),
  ...person.map((name) => [name, 'chat_user_not_found'] as const),
  ...limit.map((name) => [name, 'rate_limited'] as const),
  ...connection.map((name) => [name, 'chat_not_connected'] as const),
]);

/** Errors of the platform itself, which leave the outcome of the call unknown. */
const ownFaults = new Set(['internal_error', 'fatal_error', 'request_timeout', 'service_unavailable']);

/** True when an `ok: false` leaves open whether the call was done. */
export const isPlatformFault = (error: string): boolean => ownFaults.has(error);

/** An outcome that a further try would not change: done, or refused. Any other is transient. */
export const isFinal = (outcome: ChatOutcome): boolean =>
  outcome.kind === 'ok' || (outcome.kind === 'refused' && !isPlatformFault(outcome.error));

const codeOf = (method: ChatMethod, error: string): ErrorCode => {
  if (error.startsWith('restricted_action')) return 'invalid_destination';
  return codes.get(error) ?? (method === 'conversations.open' ? 'chat_dm_failed' : 'chat_api_error');
};

/** What a caller of ours is told when the platform said no. */
export const refusal = (method: ChatMethod, error: string, notes: readonly string[] = []): CodedError => {
  const code = codeOf(method, error);
  return new CodedError(code, {
    error_details: JSON.stringify(error),
    ...(notes.length > 0 && { details: notes.join('\n') }),
    ...(code === 'rate_limited' && { retry_after: defaultRetryAfter }),
  });
};

/** True when the platform refused the token for good, whatever it was used for. */
export const isDeadToken = (error: string): boolean => deadToken.has(error);

/** Seconds after which a platform that could not be reached may be tried again. */
const unreachableRetryAfter = 5;

/**
 * What a caller of ours is told when a call failed for good and it is certain that nothing was posted: a lookup that
 * broke in any way, or a post that never left.
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
        message: 'The chat platform cannot be reached at the moment. Nothing was posted.',
        error_details: JSON.stringify(outcome.reason),
        retry_after: unreachableRetryAfter,
      });
    case 'ambiguous':
      return new CodedError(method === 'conversations.open' ? 'chat_dm_failed' : 'chat_api_error', {
        message: 'The chat platform did not answer as it should. Nothing was posted.',
        error_details: JSON.stringify(outcome.reason),
      });
  }
};

/** The error of a message that would be posted too late. */
export const slowedDown = (retryAfter: number): CodedError =>
  new CodedError('rate_limited', {
    message: 'Channel rate limit: the message would not be posted before the deadline. Nothing was posted.',
    retry_after: Math.max(1, Math.ceil(retryAfter)),
  });

/** The error of a message of which it is not known whether it was posted. */
export const outcomeUnknown = (messageId: string): CodedError =>
  new CodedError('delivery_outcome_unknown', { details: messageId });
