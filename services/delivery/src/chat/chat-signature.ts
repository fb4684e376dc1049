import { createHmac, timingSafeEqual } from 'node:crypto';
import { CodedError, type SignedRequest } from '@stanza/contracts';

/** Seconds for which a signature is good, in both directions: clocks differ. */
const windowSeconds = 300;

const refused = (message: string): CodedError => new CodedError('invalid_signature', { message });

/** The signature of a body, after version 0 of the platform's scheme. */
export const signatureOf = (secret: string, timestamp: string, bytes: Uint8Array): string =>
  `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:`).update(bytes).digest('hex')}`;

/**
 * Checks that the platform has signed a body, and lately.
 * @returns the bytes
 * @throws CodedError `invalid_signature`
 */
export const verifySignature = (
  { bytes: encoded, timestamp, signature }: SignedRequest,
  secret: string,
  now: Date,
): Buffer => {
  if (timestamp === '' || signature === '') throw refused('The request carries no signature.');
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  const age = Math.abs(now.getTime() / 1_000 - seconds);
  if (!(age <= windowSeconds))
    throw refused('The signature is more than five minutes old, or of the future.');
  const bytes = Buffer.from(encoded, 'base64');
  const expected = Buffer.from(signatureOf(secret, timestamp, bytes));
  const given = Buffer.from(signature);
  if (given.length === expected.length && timingSafeEqual(given, expected)) return bytes;
  throw refused('The signature does not belong to the body and the signing secret.');
};
