import { describe, expect, it } from '@jest/globals';
import { duplicated, moved, placeForNew, removed, withBlock } from './changes.ts';

const loop = { type: 'directive', directive: '#each', path: 'list', children: [{ type: 'image', id: 'c' }] };
const document = {
  name: 'Letter',
  blocks: [{ type: 'header', id: 'a' }, loop, { type: 'divider', id: 'b' }],
};

describe('a change in the outline', () => {
  it('puts a new block into an empty loop, behind any other one, and last where none is chosen', () => {
    const empty = { ...document, blocks: [{ ...loop, children: [] }] };
    expect(placeForNew(empty, '/blocks/0')).toBe('/blocks/0/children/0');
    expect(placeForNew(document, '/blocks/1')).toBe('/blocks/2');
    expect(placeForNew(document, '/blocks/0')).toBe('/blocks/1');
    expect(placeForNew(document, undefined)).toBe('/blocks/3');
    expect(placeForNew(document, '/blocks/9')).toBe('/blocks/3');
  });

  it('makes the list that a block goes into where there is none', () => {
    const changed = withBlock(document, '/blocks/1/empty/0', { type: 'divider' });
    expect(changed.blocks[1]).toEqual({ ...loop, empty: [{ type: 'divider' }] });
  });

  it('moves a block among its neighbours, and no further than the end', () => {
    const down = moved(document, '/blocks/0', 1);
    expect(down.selected).toBe('/blocks/1');
    expect(down.document.blocks).toEqual([loop, document.blocks[0], document.blocks[2]]);
    expect(moved(down.document, '/blocks/1', -1).document).toEqual(document);
    expect(moved(document, '/blocks/2', 1)).toEqual({ document, selected: '/blocks/2' });
    expect(moved(document, '/blocks/1/children/0', -1).document).toBe(document);
  });

  it('takes a block away, and chooses its neighbour, or what held it', () => {
    expect(removed(document, '/blocks/2').selected).toBe('/blocks/1');
    expect(removed(document, '/blocks/1/children/0').selected).toBe('/blocks/1');
    expect(removed({ blocks: [1] }, '/blocks/0')).toEqual({ document: { blocks: [] }, selected: undefined });
  });

  it('copies a block with ids of its own, those inside too', () => {
    const copy = duplicated(document, '/blocks/1');
    expect(copy.selected).toBe('/blocks/2');
    expect(copy.document.blocks).toHaveLength(4);
    expect(copy.document.blocks[2]).toEqual({
      ...loop,
      children: [{ type: 'image', id: expect.stringMatching(/^blk_(?!c$)/) }],
    });
  });
});
