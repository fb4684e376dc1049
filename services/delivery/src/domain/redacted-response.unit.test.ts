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
  ])('holds no secret %s', (_, secret, text, kept) => {
    expect(redactedResponse(text, [secret])).toBe(kept);
  });

  it('is short, and fits a table', () => {
    expect(redactedResponse(`a\u0000b\ud800${'x'.repeat(5_000)}`, [])).toMatch(/^ab\ufffdx{1020,1021}$/);
  });

  it('holds no secret that ends behind its last character', () => {
    const kept = redactedResponse(`${'x'.repeat(1_020)}s3cr3t-token`, ['s3cr3t-token']);
    expect(kept).not.toContain('s3cr');
  });
});
