import { describe, expect, it } from '@jest/globals';
import { decryptToken, encryptToken, UnreadableToken } from './encrypted-token.ts';
import { encryptionKeys } from './encryption-keys.ts';

const keyOf = (id: string, byte: number) => `${id}:${Buffer.alloc(32, byte).toString('base64')}`;
const ring = (...keys: string[]) => encryptionKeys.parse(keys.join(','));

describe('an encrypted token', () => {
  const keyring = ring(keyOf('k2', 2), keyOf('k1', 1));
  const encrypted = encryptToken('xoxb-secret', 'here', keyring);

  it('is read by the key that wrote it, and written by the first', () => {
    expect(encrypted.keyId).toBe('k2');
    expect(decryptToken(encrypted, 'here', keyring)).toBe('xoxb-secret');
    expect(decryptToken(encrypted, 'here', ring(keyOf('k3', 3), keyOf('k2', 2)))).toBe('xoxb-secret');
  });

  it('looks different each time', () => {
    expect(encryptToken('xoxb-secret', 'here', keyring).ciphertext).not.toEqual(encrypted.ciphertext);
  });

  const changed = Buffer.from(encrypted.ciphertext);
  changed.writeUInt8(changed.readUInt8(changed.length - 1) ^ 1, changed.length - 1);

  it.each([
    ['bound to another row', encrypted, 'elsewhere', keyring],
    ['without its key', encrypted, 'here', ring(keyOf('k1', 1))],
    ['with another key of the same name', encrypted, 'here', ring(keyOf('k2', 9))],
    ['changed by a bit', { ...encrypted, ciphertext: changed }, 'here', keyring],
    ['cut short', { ...encrypted, ciphertext: encrypted.ciphertext.subarray(0, 20) }, 'here', keyring],
    ['empty', { ...encrypted, ciphertext: Buffer.alloc(0) }, 'here', keyring],
  ])('cannot be read %s', (_, token, boundTo, keys) => {
    expect(() => decryptToken(token, boundTo, keys)).toThrow(UnreadableToken);
  });
});

describe('encryption keys', () => {
  it.each([
    '',
    'k1',
    'k1:',
    'k1:c2hvcnQ=',
    `${keyOf('k1', 1)},`,
    `${keyOf('k1', 1)},${keyOf('k1', 2)}`,
    `k 1:${Buffer.alloc(32).toString('base64')}`,
  ])('are refused when they are %j, without repeating them', (text) => {
    const parsed = encryptionKeys.safeParse(text);
    expect(parsed.success).toBe(false);
    expect(parsed.error?.message).toMatch(/must be <id>:<base64 of 32 bytes>/);
  });
});
