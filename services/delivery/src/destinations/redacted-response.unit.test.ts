import { describe, expect, it } from '@jest/globals';
import { redactedResponse } from './redacted-response.ts';

const mask = '********';

describe('the answer of a destination as it is kept', () => {
  it.each([
    ['as it was sent', 'Bearer s3cr3t-token', 'got Bearer s3cr3t-token', `got ${mask}`],
    ['without its scheme', 'Bearer s3cr3t-token', 'got s3cr3t-token', `got ${mask}`],
    ['in a JSON string', 'quo"te-s3cr3t', 'got "quo\\"te-s3cr3t"', `got "${mask}"`],
    ['in a query', 'a/b+s3cr3t', 'got ?k=a%2Fb%2Bs3cr3t', `got ?k=${mask}`],
    ['as base64', 's3cr3t-token', `got ${Buffer.from('s3cr3t-token').toString('base64')}`, `got ${mask}`],
    ['as hex', 's3cr3t-token', `got ${Buffer.from('s3cr3t-token').toString('hex')}`, `got ${mask}`],
    [
      'as the password in basic',
      `Basic ${Buffer.from('bob:p4ssw0rd').toString('base64')}`,
      'p4ssw0rd!',
      `${mask}!`,
    ],
    [
      'as a password with a colon in basic',
      `Basic ${Buffer.from('bob:p4ss:w0rd').toString('base64')}`,
      'p4ss:w0rd!',
      `${mask}!`,
    ],
  ])('holds no secret %s', (_, secret, text, kept) => {
    expect(redactedResponse(text, [secret])).toBe(kept);
  });

  it('is searched for the first sixteen words of a header, and not for thousands', () => {
    const words = Array.from({ length: 1_000 }, (_, index) => `word${index + 1_000}`);
    const [, , , , first, other] = words;
    expect(redactedResponse(`${first} word1999 ${other}`, [words.join(' ')])).toBe(
      `${mask} word1999 ${mask}`,
    );
  });

  it.each([
    ['a session', '{"ok":true,"jwt":"eyJhbGciOi.eyJzdWIi.c2ln"}', '{"ok":true,"jwt":"[redacted]"}'],
    ['a session that was cut', 'eyJhbGciOiJFUzI1NiJ9.eyJzd', '[redacted]'],
    [
      'a token by its name',
      '{"access_token": "a\\"b", "expires_in":3600}',
      '{"access_token": "[redacted]", "expires_in":3600}',
    ],
    ['a token in a form', 'id_token=abc&state=1', 'id_token="[redacted]"&state=1'],
    [
      'a token in escaped JSON',
      '{"body":"{\\"access_token\\": \\"a \\\\\\"b\\",\\"n\\":1}"}',
      '{"body":"{\\"access_token\\": "[redacted]",\\"n\\":1}"}',
    ],
    [
      'a token in escaped JSON that was cut',
      '"{\\"access_token\\":\\"abc 1',
      '"{\\"access_token\\":"[redacted]"',
    ],
    ['a token in XML', '<access_token>abc123</access_token>', '<access_token>"[redacted]"</access_token>'],
    ['an API key', 'your key is stz_live_0123456789', 'your key is [redacted]'],
    ['a password that was cut', '{"password":"hunter', '{"password":"[redacted]"'],
    ['nothing', '{"ok":true,"tokens_used":3,"id":"order-1"}', '{"ok":true,"tokens_used":3,"id":"order-1"}'],
  ])('holds no token of the receiver: %s', (_, text, kept) => {
    expect(redactedResponse(text, [])).toBe(kept);
  });

  it('is short, and fits a table', () => {
    expect(redactedResponse(`a\u0000b\ud800${'x'.repeat(5_000)}`, [])).toMatch(/^ab\ufffdx{1020,1021}$/);
  });

  it('holds no secret that ends behind its last character', () => {
    const kept = redactedResponse(`${'x'.repeat(1_020)}s3cr3t-token`, ['s3cr3t-token']);
    expect(kept).not.toContain('s3cr');
  });
});
