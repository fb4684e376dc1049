import { describe, expect, it } from '@jest/globals';
import { leaksIn } from './leaks.ts';

const secret = 'hunter2/with+signs&"quotes"';
const found = (text: string): number => leaksIn(new Map([['log', text]]), [secret]).length;

describe('the search for a secret', () => {
  it.each([
    ['as it is', secret],
    ['in an address', `/v1/x?token=${encodeURIComponent(secret)}`],
    ['in an address within an address', encodeURIComponent(`/v1?token=${encodeURIComponent(secret)}`)],
    ['in base64', Buffer.from(secret).toString('base64')],
    ['in base64 behind a name', Buffer.from(`user:${secret}`).toString('base64')],
    ['in base64 behind a longer name, for addresses', Buffer.from(`users:${secret}!`).toString('base64url')],
    ['in base64 behind a name of two', Buffer.from(`ab${secret}`).toString('base64')],
    ['in hex', Buffer.from(`{${secret}}`).toString('hex')],
    ['in JSON', JSON.stringify({ err: { message: `no ${secret}` } })],
  ])('finds it %s', (_, text) => {
    expect(found(`before ${text} after`)).toBeGreaterThan(0);
  });

  it('finds nothing where it is not', () => {
    expect(found(JSON.stringify({ msg: 'hunter', key: '[redacted]' }))).toBe(0);
  });
});
