import { describe, expect, it } from '@jest/globals';
import type { Destination } from '@stanza/contracts';
import { changeOf, losesHeaders } from './destination-change.ts';

describe('a change of a destination', () => {
  const destination = {
    name: 'Tickets',
    url: 'https://tickets.example.com/a',
    method: 'POST' as const,
    retry_enabled: false,
  };

  it('contains only the fields that differ', () => {
    expect(changeOf(destination, { ...destination })).toEqual({});
    expect(changeOf(destination, { ...destination, retry_enabled: true })).toEqual({ retry_enabled: true });
  });

  const authorized: Destination['headers'] = { Authorization: '********' };

  it.each([
    ['https://tickets.example.com/b', authorized, false],
    ['https://other.example.com/a', authorized, true],
    ['http://tickets.example.com/a', authorized, true],
    ['https://other.example.com/a', {}, false],
  ])('clears the headers where the host is another one: %s', (to, headers, isLost) => {
    expect(losesHeaders({ ...destination, headers }, to)).toBe(isLost);
  });
});
