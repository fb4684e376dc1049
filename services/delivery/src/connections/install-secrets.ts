import { createHash, randomBytes } from 'node:crypto';

/** Bytes of a secret in a URL. */
const secretBytes = 32;

/** A new secret for a URL; only its hash is stored. */
export const newSecret = (): string => randomBytes(secretBytes).toString('base64url');

/** The stored form of such a secret. It is long and random, so a plain hash suffices. */
export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();
