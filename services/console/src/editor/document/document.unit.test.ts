import { describe, expect, it } from '@jest/globals';
import { following, isSame } from './document.ts';

const blocksOf = (text: string): [{ type: string; text: string }] => [{ type: 'header', text }];
const before = { name: 'One', locale: 'de', blocks: blocksOf('saved') };

describe('a document that somebody else saves meanwhile', () => {
  it('follows each setting that its author has not changed, also one that is new or gone', () => {
    const mine = { ...before, blocks: blocksOf('mine'), user_name: 'Mine' };
    const saved = { name: 'Two', user_name: 'Theirs', icon_emoji: ':x:', blocks: before.blocks };
    const followed = following(mine, before, saved);
    expect(followed).toEqual({
      name: 'Two',
      user_name: 'Mine',
      icon_emoji: ':x:',
      blocks: blocksOf('mine'),
    });
  });

  it('follows the blocks where its author has changed a setting alone', () => {
    const saved = { ...before, blocks: blocksOf('theirs') };
    expect(following({ ...before, name: 'Mine' }, before, saved)).toEqual({ ...saved, name: 'Mine' });
  });

  it('stays the same object where there is nothing to follow', () => {
    const mine = { ...before, name: 'Mine' };
    expect(following(mine, before, { ...before, name: 'Theirs' })).toBe(mine);
    expect(following(mine, before, { ...before })).toBe(mine);
  });

  it('A document is the same with its keys in another order, and another one with other keys', () => {
    const [{ type, text }] = blocksOf('saved');
    expect(isSame({ blocks: [{ text, type }], locale: 'de', name: 'One', strict: undefined }, before)).toBe(
      true,
    );
    expect(isSame({ ...before, blocks: blocksOf('mine') }, before)).toBe(false);
    expect(isSame(before, { ...before, user_name: 'Mine' })).toBe(false);
    expect(isSame([{ type }, { text }], [{ text }, { type }])).toBe(false);
  });
});
