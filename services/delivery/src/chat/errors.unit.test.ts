import { describe, expect, it } from '@jest/globals';
import type { ChatMethod, ErrorCode } from '@stanza/contracts';
import { callFailure, isPlatformFault, refusal } from './errors.ts';

const table: [ChatMethod, string, ErrorCode, number][] = [
  ['chat.postMessage', 'channel_not_found', 'invalid_destination', 400],
  ['chat.postMessage', 'restricted_action_read_only_channel', 'invalid_destination', 400],
  ['users.lookupByEmail', 'users_not_found', 'chat_user_not_found', 404],
  ['conversations.open', 'user_not_found', 'chat_user_not_found', 404],
  ['conversations.open', 'user_disabled', 'chat_user_not_found', 404],
  ['conversations.open', 'user_not_visible', 'chat_dm_failed', 502],
  ['conversations.open', 'invalid_auth', 'chat_not_connected', 409],
  ['users.lookupByEmail', 'missing_scope', 'chat_not_connected', 409],
  ['chat.postMessage', 'token_expired', 'chat_not_connected', 409],
  ['chat.postMessage', 'invalid_blocks', 'chat_api_error', 502],
  ['auth.test', 'something_new', 'chat_api_error', 502],
];

describe('a refusal of the platform', () => {
  it.each(table)('of %s, %s, becomes %s with status %i', (method, error, code, status) => {
    const coded = refusal(method, error);
    expect([coded.code, coded.status]).toEqual([code, status]);
    expect(coded.facts.error_details).toBe(JSON.stringify(error));
  });

  it('lists what the platform adds to it', () => {
    expect(refusal('chat.postMessage', 'invalid_blocks', ['one', 'two']).facts.details).toBe('one\ntwo');
  });

  it('leaves open what happened only when the platform admits it', () => {
    expect(['internal_error', 'fatal_error', 'invalid_blocks'].map(isPlatformFault)).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe('a call that failed for good', () => {
  it.each<[ChatMethod, ErrorCode]>([
    ['users.lookupByEmail', 'chat_api_error'],
    ['conversations.open', 'chat_dm_failed'],
  ])('of %s, by an answer that was lost, is %s: nothing was posted', (method, code) => {
    const coded = callFailure(method, { kind: 'ambiguous', reason: 'http_500' });
    expect(coded.code).toBe(code);
    expect(coded.message).toContain('Nothing was posted');
  });

  it.each<[ChatMethod]>([['chat.update'], ['chat.delete']])(
    'A failed %s does not say of a message in its channel that it was never posted',
    (method) => {
      const failures = [
        callFailure(method, { kind: 'not_sent', reason: 'ECONNREFUSED' }),
        callFailure(method, { kind: 'rate_limited', retryAfter: 30 }),
      ];
      expect(failures.map(({ message }) => message)).toEqual([
        expect.stringMatching(/ Nothing was posted or changed\.$/),
        expect.stringMatching(/ Nothing was posted or changed\.$/),
      ]);
    },
  );

  it('without a byte written is a 503 that may be tried again', () => {
    const coded = callFailure('chat.postMessage', { kind: 'not_sent', reason: 'ECONNREFUSED' });
    expect([coded.code, coded.facts.retry_after]).toEqual(['service_unavailable', 5]);
  });
});
