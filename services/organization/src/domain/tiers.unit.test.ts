import { describe, expect, it } from '@jest/globals';
import { defaultTiers } from '@stanza/contracts';
import { configuredTiers } from './tiers.ts';

describe('the configured tiers', () => {
  it('are the default ones when nothing is said', () => {
    expect(configuredTiers.parse(undefined)).toEqual(defaultTiers);
  });

  it('differ from the default ones in what is said alone', () => {
    expect(configuredTiers.parse('{"free": {"monthly_credits": 5}}')).toEqual({
      ...defaultTiers,
      free: { ...defaultTiers.free, monthly_credits: 5 },
    });
  });

  it.each([
    ['no JSON', 'free'],
    ['an unknown tier', '{"gold": {}}'],
    ['an unknown field', '{"free": {"credits": 5}}'],
    ['a negative overage', '{"free": {"overage": -1}}'],
    ['a list', '[]'],
  ])('cannot be %s', (_, text) => {
    expect(configuredTiers.safeParse(text).success).toBe(false);
  });
});
