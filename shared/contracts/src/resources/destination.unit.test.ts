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
