import { createHmac, timingSafeEqual } from 'node:crypto';
import { CodedError, refusalOfSignature, type SignedRequest } from '@stanza/contracts';

const refused = (message: string): CodedError => new CodedError('invalid_signature', { message });

/** The signature of a body, after version 0 of the platform's scheme. */
export const signatureOf = (secret: string, timestamp: string, bytes: Uint8Array): string =>
  `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:`).update(bytes).digest('hex')}`;

/**
 * Checks that the platform has signed a body recently.
 * @returns the bytes
 * @throws CodedError `invalid_signature`
 */
export const verifySignature = (signed: SignedRequest, secret: string, now: Date): Buffer => {
  const refusal = refusalOfSignature(signed, now);
  if (refusal !== undefined) throw refused(refusal);
  const { bytes: encoded, timestamp, signature } = signed;
  const bytes = Buffer.from(encoded, 'base64');
  const expected = Buffer.from(signatureOf(secret, timestamp, bytes));
  const given = Buffer.from(signature);
  if (given.length === expected.length && timingSafeEqual(given, expected)) return bytes;
  throw refused('The signature does not match the body and the signing secret.');
};
