import { describe, expect, it } from '@jest/globals';
import { printRotation } from './encryption.ts';

const rotation = (unreadable: number): Parameters<typeof printRotation>[0] => ({
  key_id: 'k2',
  done: true,
  secrets: [{ kind: 'chat_token', rotated: 3, unreadable }],
});

describe('the answer of a rotation of encryption keys', () => {
  it('fails where no key decrypts a secret, so that no script goes on and removes the old key', async () => {
    await expect(printRotation(rotation(1))).rejects.toThrow(/decrypts some secrets: chat_token\./);
    await printRotation(rotation(0));
  });
});
