import { z } from 'zod';

/** Bytes of a key of AES-256. */
const keyBytes = 32;

/** A key and the name that stands next to what it has encrypted. */
export interface EncryptionKey {
  readonly id: string;
  readonly key: Buffer;
}

/** Keys by which stored secrets are read; the current one also writes. */
export interface Keyring {
  readonly current: EncryptionKey;
  readonly byId: ReadonlyMap<string, EncryptionKey>;
}

const readKey = (entry: string): EncryptionKey | undefined => {
  const [, id = '', text = ''] = /^([A-Za-z0-9_-]{1,64}):([A-Za-z0-9+/]+={0,2})$/.exec(entry.trim()) ?? [];
  const key = Buffer.from(text, 'base64');
  return key.length === keyBytes ? { id, key } : undefined;
};

/** Reads `<id>:<base64 of 32 bytes>`, several separated by commas, the current one first. */
export const encryptionKeys = z.string().transform((text, context): Keyring => {
  const entries = text.split(',');
  const keys = entries.map(readKey).filter((key) => key !== undefined);
  const byId = new Map(keys.map((key) => [key.id, key]));
  const [current] = keys;
  if (current && keys.length === entries.length && byId.size === keys.length) return { current, byId };
  context.addIssue({
    code: 'custom',
    message: 'must be <id>:<base64 of 32 bytes>, several separated by commas, each id once',
  });
  return z.NEVER;
});
