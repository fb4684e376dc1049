import { describe, expect, it } from '@jest/globals';
import {
  peopleChoices,
  personFilter,
  soughtAmong,
  targetChoices,
  targetFilter,
  targetName,
} from './target-names.ts';

const names = {
  channels: [{ id: 'C0DEPLOYS', name: 'deploys' }],
  people: [{ id: 'U0ADA', name: 'Ada Lovelace', email: 'ada@example.com' }],
};

describe('where messages go', () => {
  it.each([
    [{ channel_id: 'C0DEPLOYS' }, '#deploys'],
    [{ channel_id: 'C0OTHER' }, 'C0OTHER'],
    [{ recipient_chat_id: 'U0ADA' }, 'Ada Lovelace'],
    [{ channel_id: null, recipient_email: 'ada@example.com' }, 'ada@example.com'],
    [{}, '–'],
  ])('is shown by name where that is known: %j', (target, name) => {
    expect(targetName(target, names)).toBe(name);
  });

  it.each([
    [undefined, {}],
    [' ', {}],
    ['#deploys', { channel: 'C0DEPLOYS' }],
    ['Deploys', { channel: 'C0DEPLOYS' }],
    ['C0OTHER', { channel: 'C0OTHER' }],
    ['ada lovelace', { recipient: 'U0ADA' }],
    ['ada@example.com', { recipient: 'ada@example.com' }],
    ['U0BOB', { recipient: 'U0BOB' }],
    ['#nowhere', { channel: '#nowhere' }],
  ])('is searched by name, address or id: %s', (text, filter) => {
    expect(targetFilter(text, names)).toEqual(filter);
  });

  it('offers channels by name, and people by name and by address', () => {
    expect(targetChoices(names)).toEqual(['#deploys', 'Ada Lovelace', 'ada@example.com']);
  });

  it.each([
    ['ada lovelace', 'U0ADA'],
    [' Ada@example.com', 'U0ADA'],
    ['U0BOB', 'U0BOB'],
    [undefined, undefined],
  ])('finds a person by name, address or id: %s', (text, id) => {
    expect(personFilter(text, names)).toBe(id);
    expect(peopleChoices(names)).toEqual(['Ada Lovelace', 'ada@example.com']);
  });

  it('Of a large workspace, ids and names beyond the first page are looked up where they may be', () => {
    const channels = { data: names.channels, next_cursor: '100' };
    const people = { data: names.people, next_cursor: '100' };
    const texts = [
      '#Deploys',
      'C0OTHER',
      'C0OTHER',
      'U0ADA',
      'U0BOB',
      'bob@example.com',
      ' sales ',
      null,
      undefined,
    ];
    expect(soughtAmong(texts, channels, people)).toEqual({
      channels: ['C0OTHER', 'sales'],
      people: ['U0BOB', 'bob@example.com', 'sales'],
    });
    const whole = [
      { ...channels, next_cursor: null },
      { ...people, next_cursor: null },
    ] as const;
    expect(soughtAmong(texts, ...whole)).toEqual({ channels: [], people: [] });
  });
});
