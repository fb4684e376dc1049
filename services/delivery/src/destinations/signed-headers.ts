import { Webhook } from 'standardwebhooks';
import type { Headers, SigningSecrets } from './credentials.ts';

/** The headers of a payload: the destination's own, and a signature after Standard Webhooks. */
export const signedHeaders = (
  own: Headers,
  { current, previous }: SigningSecrets,
  { id, body, at }: { id: string; body: string; at: Date },
): Headers => {
  const secrets = [current, ...(previous ? [previous.secret] : [])];
  return {
    'user-agent': 'Stanza',
    ...Object.fromEntries(Object.entries(own).map(([name, value]) => [name.toLowerCase(), value])),
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  };
};
