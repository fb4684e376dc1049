import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Keyring } from './encryption-keys.ts';

const algorithm = 'aes-256-gcm';
/** Bytes of the nonce that GCM works best with. */
const nonceBytes = 12;
const tagBytes = 16;

/** A token as it is stored: nonce, tag and ciphertext in one, and the id of the key that reads it. */
export interface EncryptedToken {
  ciphertext: Buffer;
  keyId: string;
}

/** A stored token that no key of the ring can read, or that stands in another row than it was written for. */
export class UnreadableToken extends Error {
  override readonly name = 'UnreadableToken';
}

/** Encrypts a token with the current key. `boundTo` names tenant and row: elsewhere the ciphertext is worthless. */
export const encryptToken = (token: string, boundTo: string, { current }: Keyring): EncryptedToken => {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, current.key, nonce);
  cipher.setAAD(Buffer.from(boundTo));
  const encrypted = Buffer.concat([cipher.update(token, 'utf8'), cipher.final()]);
  return { ciphertext: Buffer.concat([nonce, cipher.getAuthTag(), encrypted]), keyId: current.id };
};

/**
 * Reads a token with whichever key wrote it.
 * @throws UnreadableToken when that key is not in the ring, or the ciphertext is not what was stored for this row
 */
export const decryptToken = (
  { ciphertext, keyId }: EncryptedToken,
  boundTo: string,
  { byId }: Keyring,
): string => {
  const key = byId.get(keyId);
  if (!key) throw new UnreadableToken(`the encryption key ${keyId} is not configured`);
  const nonce = ciphertext.subarray(0, nonceBytes);
  const tag = ciphertext.subarray(nonceBytes, nonceBytes + tagBytes);
  try {
    const decipher = createDecipheriv(algorithm, key.key, nonce, { authTagLength: tagBytes });
    decipher.setAAD(Buffer.from(boundTo));
    decipher.setAuthTag(tag);
    const encrypted = ciphertext.subarray(nonceBytes + tagBytes);
    return Buffer.concat([decipher.update(encrypted), decipher.final()]).toString('utf8');
  } catch (cause) {
    throw new UnreadableToken(`the encryption key ${keyId} does not open the token`, { cause });
  }
};

/** Encrypts a token again with the current key; undefined when it cannot be read. */
export const reencryptToken = (
  stored: EncryptedToken,
  boundTo: string,
  keyring: Keyring,
): EncryptedToken | undefined => {
  try {
    return encryptToken(decryptToken(stored, boundTo, keyring), boundTo, keyring);
  } catch (err) {
    if (err instanceof UnreadableToken) return undefined;
    throw err;
  }
};
