import { describe, expect, it } from '@jest/globals';
import { CodedError } from '@stanza/contracts';
import { signatureOf, verifySignature } from './chat-signature.ts';

const secret = '8f742231b10e8888abcd99yyyzzz85a5';
// The example of the platform's documentation.
const text =
  'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c';
const timestamp = '1531420618';
const signature = 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503';
const now = new Date(1_531_420_618_000);

const request = {
  bytes: Buffer.from(text).toString('base64'),
  timestamp,
  signature,
};

const attempt = (changes: Partial<typeof request>, at = now): unknown => {
  try {
    return verifySignature({ ...request, ...changes }, secret, at).toString();
  } catch (err) {
    return err instanceof CodedError ? err.code : err;
  }
};

const later = (seconds: number): Date => new Date(now.getTime() + seconds * 1_000);

describe('the signature of the platform', () => {
  it('is accepted as the platform documents it, over the bytes as they came', () => {
    expect(signatureOf(secret, timestamp, Buffer.from(text))).toBe(signature);
    expect(attempt({})).toBe(text);
  });

  it.each([
    ['another byte in the body', { bytes: Buffer.from(`${text}x`).toString('base64') }],
    ['another time', { timestamp: '1531420619' }],
    ['another signature', { signature: signature.replace('a2', 'a3') }],
    ['a part of the signature', { signature: signature.slice(0, 20) }],
    ['no signature', { signature: '' }],
    ['no time', { timestamp: '' }],
    ['a time that is none', { timestamp: 'yesterday' }],
  ])('is refused with %s', (_, changes) => {
    expect(attempt(changes)).toBe('invalid_signature');
  });

  it('is good for five minutes and no longer, in both directions', () => {
    expect(attempt({}, later(300))).toBe(text);
    expect(attempt({}, later(301))).toBe('invalid_signature');
    expect(attempt({}, later(-301))).toBe('invalid_signature');
  });
});
