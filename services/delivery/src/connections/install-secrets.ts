import { createHash, randomBytes } from 'node:crypto';

/** Bytes of a secret that stands in an address. */
const secretBytes = 32;

/** A new secret for an address; only its hash is kept here. */
export const newSecret = (): string => randomBytes(secretBytes).toString('base64url');

/** What is stored of such a secret. It is long and random, so that a plain hash gives nothing away. */
export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();
