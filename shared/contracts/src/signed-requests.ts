import { z } from 'zod';

/** Headers with which the chat platform signs what it sends. */
export const signatureHeaders = {
  timestamp: 'X-Slack-Request-Timestamp',
  signature: 'X-Slack-Signature',
} as const;

/** A signed request as its owner receives it, not yet verified. */
export const signedRequest = z.strictObject({
  bytes: z.string().describe('base64 of the body as it came'),
  timestamp: z.string(),
  signature: z.string(),
});

/** See {@link signedRequest}. */
export type SignedRequest = z.output<typeof signedRequest>;

/** Seconds for which a signature is valid, in both directions: clocks differ. */
const windowSeconds = 300;

/** Why the headers of a signature are refused, whatever the body; undefined where the body decides. */
export const refusalOfSignature = (
  { timestamp, signature }: Omit<SignedRequest, 'bytes'>,
  now: Date,
): string | undefined => {
  if (timestamp === '' || signature === '') return 'The request carries no signature.';
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  const age = Math.abs(now.getTime() / 1_000 - seconds);
  return age <= windowSeconds
    ? undefined
    : 'The timestamp of the signature is more than five minutes in the past or the future.';
};
