import { describe, expect, it } from '@jest/globals';
import { defaultTiers } from '@stanza/contracts';
import { configuredTiers } from './tiers.ts';

describe('the configured tiers', () => {
  it('are the defaults when the setting is empty', () => {
    expect(configuredTiers.parse(undefined)).toEqual(defaultTiers);
  });

  it('differ from the defaults in the given values only', () => {
    expect(configuredTiers.parse('{"free": {"monthly_credits": 5}}')).toEqual({
      ...defaultTiers,
      free: { ...defaultTiers.free, monthly_credits: 5 },
    });
  });

  it('differ in the given limits of what is stored only', () => {
    const { free } = configuredTiers.parse('{"free": {"stored": {"templates": 5}}}');
    expect(free).toEqual({ ...defaultTiers.free, stored: { ...defaultTiers.free.stored, templates: 5 } });
  });

  it.each([
    ['no JSON', 'free'],
    ['an unknown tier', '{"gold": {}}'],
    ['an unknown field', '{"free": {"credits": 5}}'],
    ['an unknown limit', '{"free": {"stored": {"pages": 5}}}'],
    ['a negative overage', '{"free": {"overage": -1}}'],
    ['a list', '[]'],
  ])('refuse %s', (_, text) => {
    expect(configuredTiers.safeParse(text).success).toBe(false);
  });
});
