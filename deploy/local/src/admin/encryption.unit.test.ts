import { describe, expect, it } from '@jest/globals';
import { refuseUnreadable } from './encryption.ts';

const rotation = (unreadable: number): Parameters<typeof refuseUnreadable>[0] => ({
  key_id: 'k2',
  done: true,
  secrets: [{ kind: 'chat_token', rotated: 3, unreadable }],
});

describe('the answer of a rotation of encryption keys', () => {
  it('fails where no key decrypts a secret, so that no script goes on and removes the old key', () => {
    expect(() => refuseUnreadable(rotation(1))).toThrow(/decrypts some secrets: chat_token\./);
    refuseUnreadable(rotation(0));
  });
});
