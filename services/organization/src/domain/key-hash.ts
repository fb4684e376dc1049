import { createHmac } from 'node:crypto';
import { z } from 'zod';

/** A secret that keys are hashed with, and its id, which is stored next to each hash. */
export interface KeyHashSecret {
  id: string;
  secret: Buffer;
}

/** A stored hash of a key. */
export interface KeyHash {
  hash: Buffer;
  /** Id of the secret. */
  hashKeyId: string;
}

/** Bytes; the output length of SHA-256: RFC 2104 discourages shorter keys. */
const shortestSecret = 32;
const form = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/]+={0,2})$/;

const readSecret = (text: string): KeyHashSecret | undefined => {
  const [, id, encoded] = form.exec(text.trim()) ?? [];
  if (id === undefined || encoded === undefined) return undefined;
  const secret = Buffer.from(encoded, 'base64');
  return secret.length >= shortestSecret ? { id, secret } : undefined;
};

/** Reads the setting `STANZA_KEY_HASH_SECRETS`; the reported problem does not contain the secret. */
export const keyHashSecrets = z.string().transform((text, context): KeyHashes => {
  const secrets = text.split(',').map(readSecret);
  const [first, ...older] = secrets.filter((it) => it !== undefined);
  const ids = new Set(secrets.map((it) => it?.id));
  if (first === undefined || older.length + 1 < secrets.length) {
    context.addIssue({ code: 'custom', message: 'each must be <id>:<base64 of 32 bytes or more>' });
    return z.NEVER;
  }
  if (ids.size < secrets.length) {
    context.addIssue({ code: 'custom', message: 'two secrets have the same id' });
    return z.NEVER;
  }
  return new KeyHashes(first, older);
});

/**
 * Turns the digest of an API key into its stored form: HMAC-SHA256 with a secret outside the database, so that a stolen
 * database reveals nothing about keys, not even whether two are equal.
 */
export class KeyHashes {
  readonly #current: KeyHashSecret;
  readonly #older: readonly KeyHashSecret[];

  constructor(current: KeyHashSecret, older: readonly KeyHashSecret[] = []) {
    this.#current = current;
    this.#older = older;
  }

  /** The ids of the secrets. */
  get ids(): string[] {
    return [this.#current, ...this.#older].map(({ id }) => id);
  }

  /** The hash to store for a new key. */
  current(digest: string): KeyHash {
    return hashWith(this.#current, digest);
  }

  /** Every hash under which the key may be stored. */
  all(digest: string): Buffer[] {
    return [this.#current, ...this.#older].map((it) => hashWith(it, digest).hash);
  }
}

const hashWith = ({ id, secret }: KeyHashSecret, digest: string): KeyHash => ({
  hash: createHmac('sha256', secret).update(digest).digest(),
  hashKeyId: id,
});
