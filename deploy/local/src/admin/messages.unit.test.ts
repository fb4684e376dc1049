import { describe, expect, it } from '@jest/globals';
import { listPostingChannels } from '@stanza/contracts';
import { sinceOf } from './messages.ts';

describe('the time since which posts are compared', () => {
  it.each([
    ['as the pages write it', '2027-01-01T12:00:00Z'],
    ['with milliseconds', '2027-01-01T12:00:00.000Z'],
    ['with an offset', '2027-01-01T13:00:00+01:00'],
  ])('is taken %s', (_, text) => {
    const { since } = listPostingChannels.input.parse({ since: sinceOf(text) });
    expect(since).toBe('2027-01-01T12:00:00.000Z');
  });

  it('a text that is no time is refused with the name of the option', () => {
    expect(() => sinceOf('yesterday')).toThrow(/since/);
  });
});
