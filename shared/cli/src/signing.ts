import { createHmac } from 'node:crypto';

/** The headers with which Stanza signs a payload, after Standard Webhooks. */
export const signedHeaders = (
  secret: string,
  { id, payload, at }: { id: string; payload: string; at: Date },
): Record<string, string> => {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${payload}`).digest('base64');
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
};
