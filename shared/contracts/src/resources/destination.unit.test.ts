import { describe, expect, it } from '@jest/globals';
import { createDestination } from '../operations/destinations.ts';

const issuesOf = (headers: Record<string, string>): string[] => {
  const body = { name: 'Hook', url: 'https://hook.example.com/x', headers };
  return (createDestination.body?.safeParse(body).error?.issues ?? []).map(({ message }) => message);
};

describe('the headers of a destination', () => {
  it.each([
    'Host',
    'Webhook-Signature',
    'Proxy-Authorization',
    'Forwarded',
    'X-Forwarded-For',
    'x-real-ip',
    'Via',
    'X-Request-Id',
    'traceparent',
    'X-Stanza-Console',
  ])('cannot say what the service or a proxy says: %s', (header) => {
    expect(issuesOf({ [header]: '1' })).toEqual([expect.stringContaining('is set by the service')]);
  });

  it.each(['Authorization', 'X-Api-Key', 'Accept'])('are the sender’s own otherwise: %s', (header) => {
    expect(issuesOf({ [header]: '1' })).toEqual([]);
  });
});

describe('the address of a destination', () => {
  const isTaken = (url: string): boolean =>
    createDestination.body?.safeParse({ name: 'Hook', url }).success ?? false;

  it.each([
    'https://hook.example.com/x?y=1',
    'HTTPS://hook.example.com',
    'http://127.0.0.1:8080/',
    'http://[::1]:8080/x',
    'https://hook_1.example.com./',
    'https://bücher.example/',
  ])('is taken as it is written: %s', (url) => {
    expect(isTaken(url)).toBe(true);
  });

  it.each([
    'https:example.com',
    'https:/example.com',
    'https://.com/',
    'https://a..b/',
    'https://-a-/',
    'https://example.com:0/',
    'https://example.com\\@other.example/',
    'https://example.com/ x',
    'https://example.com/{{x}}',
    'ftp://example.com',
  ])('is refused where it is a slip: %s', (url) => {
    expect(isTaken(url)).toBe(false);
  });
});
