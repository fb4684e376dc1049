import { describe, expect, it } from '@jest/globals';
import { KeyHashes, keyHashSecrets } from './key-hash.ts';

const secret = (byte: number, length = 32): string => Buffer.alloc(length, byte).toString('base64');
const digest = 'ab'.repeat(32);

describe('the hash of a key', () => {
  it('is made with the first secret, and looked up with every secret', () => {
    const hashes = keyHashSecrets.parse(`k2:${secret(2)}, k1:${secret(1)}`);
    const [newer, older] = [
      new KeyHashes({ id: 'k2', secret: Buffer.alloc(32, 2) }).current(digest),
      new KeyHashes({ id: 'k1', secret: Buffer.alloc(32, 1) }).current(digest),
    ];
    expect(hashes.current(digest)).toEqual(newer);
    expect(newer.hashKeyId).toBe('k2');
    expect(hashes.all(digest)).toEqual([newer.hash, older.hash]);
  });

  it('is HMAC-SHA256', () => {
    // RFC 4231, test case 2, uses a shorter secret than the setting allows.
    const hashes = new KeyHashes({ id: 'k', secret: Buffer.from('Jefe') });
    expect(hashes.current('what do ya want for nothing?').hash.toString('hex')).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
  });
});

describe('the setting of the secrets', () => {
  it.each([
    ['nothing', ''],
    ['a secret without an id', secret(1)],
    ['a short secret', `k1:${secret(1, 31)}`],
    ['text that is not base64', 'k1:***'],
    ['a repeated id', `k1:${secret(1)},k1:${secret(2)}`],
    ['an invalid secret beside a valid one', `k1:${secret(1)},k2`],
  ])('is refused for %s, without revealing a secret', (_, text) => {
    const parsed = keyHashSecrets.safeParse(text);
    expect(parsed.success).toBe(false);
    expect(JSON.stringify(parsed.error?.issues)).not.toContain(secret(1).slice(0, 8));
  });
});
