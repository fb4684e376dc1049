import { describe, expect, it } from '@jest/globals';
import { blockSchema } from '@stanza/engine';
import { isOwnPlace, mayStand, movedTo, movedWords } from './dropping.ts';

const schema = blockSchema();
const button = { type: 'button', text: { type: 'plain_text', text: 'Approve' } };
const text = { type: 'mrkdwn', text: 'small' };
const loop = {
  type: 'directive',
  directive: '#each',
  path: 'list',
  children: [{ type: 'alert' }],
  empty: [],
};
const document = {
  blocks: [
    { type: 'header' },
    loop,
    { type: 'container', child_blocks: [{ type: 'divider' }, { ...loop, children: [] }] },
    { type: 'actions', elements: [button, { type: 'datepicker' }] },
    { type: 'context', elements: [text] },
    { type: 'section', accessory: button },
    'no block',
  ],
};
const listsFor = (from: string): string[] =>
  [
    '/blocks',
    '/blocks/1/children',
    '/blocks/1/empty',
    '/blocks/2/child_blocks',
    '/blocks/2/child_blocks/1/children',
    '/blocks/3/elements',
    '/blocks/4/elements',
  ].filter((list) => mayStand(document, from, list, schema));
const everywhere = ['/blocks', '/blocks/1/children', '/blocks/1/empty'];

describe('the places of a dragged block', () => {
  it('A block may be dropped in every list of blocks, and in a frame, or a loop of it, that takes its type', () => {
    const inFrames = ['/blocks/2/child_blocks', '/blocks/2/child_blocks/1/children'];
    expect(listsFor('/blocks/0')).toEqual([...everywhere, ...inFrames]);
    expect(listsFor('/blocks/1/children/0')).toEqual(everywhere);
    expect(listsFor('/blocks/6')).toEqual(everywhere);
  });

  it('A block may not be dropped into itself, nor a loop into a frame that takes less than it holds', () => {
    expect(listsFor('/blocks/1')).toEqual(['/blocks']);
    expect(listsFor('/blocks/2')).toEqual(everywhere);
    expect(listsFor('/blocks/2/child_blocks/1')).toEqual([...everywhere, '/blocks/2/child_blocks']);
  });

  it('Texts in languages may be dropped between the blocks of the message alone', () => {
    const texts = { type: 'directive', directive: '#translations', translations: {} };
    const withTexts = { blocks: [texts, ...document.blocks] };
    expect(mayStand(withTexts, '/blocks/0', '/blocks', schema)).toBe(true);
    expect(mayStand(withTexts, '/blocks/0', '/blocks/2/children', schema)).toBe(false);
  });

  it('A part may be dropped in lists of parts that take its type', () => {
    expect(listsFor('/blocks/3/elements/0')).toEqual(['/blocks/3/elements']);
    expect(listsFor('/blocks/5/accessory')).toEqual(['/blocks/3/elements']);
    expect(listsFor('/blocks/4/elements/0')).toEqual(['/blocks/4/elements']);
  });

  it('A full list takes no further block, but its own in another order', () => {
    const full = {
      blocks: [
        { type: 'divider' },
        { type: 'container', child_blocks: Array.from({ length: 10 }, () => ({ type: 'divider' })) },
      ],
    };
    expect(mayStand(full, '/blocks/0', '/blocks/1/child_blocks', schema)).toBe(false);
    expect(mayStand(full, '/blocks/1/child_blocks/0', '/blocks/1/child_blocks', schema)).toBe(true);
  });
});

describe('the move of a block', () => {
  const [header, , frame] = document.blocks;

  it('A moved block stands before what it was dropped before, moved down or up', () => {
    const down = movedTo(document, '/blocks/0', '/blocks/2');
    expect(down.selected).toBe('/blocks/1');
    expect(down.document.blocks.slice(0, 3)).toEqual([loop, header, frame]);
    const up = movedTo(document, '/blocks/2', '/blocks/0');
    expect(up.selected).toBe('/blocks/0');
    expect(up.document.blocks.slice(0, 3)).toEqual([frame, header, loop]);
    expect(movedTo(document, '/blocks/0', '/blocks/7').selected).toBe('/blocks/6');
  });

  it('A block moves into a group and out of it', () => {
    const into = movedTo(document, '/blocks/0', '/blocks/1/children/1');
    expect(into.selected).toBe('/blocks/0/children/1');
    expect(into.document.blocks[0]).toEqual({ ...loop, children: [{ type: 'alert' }, header] });
    expect(movedTo(into.document, into.selected ?? '', '/blocks/0').document).toEqual(document);
  });

  it('A block that is dropped where it stands changes nothing', () => {
    expect(isOwnPlace('/blocks/1', '/blocks/2')).toBe(true);
    expect(isOwnPlace('/blocks/1', '/blocks/3')).toBe(false);
    expect(isOwnPlace('/blocks/1', '/blocks/2/children/1')).toBe(false);
    expect(movedTo(document, '/blocks/1', '/blocks/2').document).toBe(document);
  });

  it('A move is announced with the new place and its group', () => {
    expect(movedWords(document, '/blocks/0')).toBe('Header moved to place 1 of 7');
    expect(movedWords(document, '/blocks/1/children/0')).toBe(
      'Alert moved to place 1 of 1 in Repeat for each list',
    );
    const { document: moved, selected = '' } = movedTo(document, '/blocks/0', '/blocks/1/empty/0');
    expect(movedWords(moved, selected)).toBe(
      'Header moved to place 1 of 1 in Repeat for each list, when the list is empty',
    );
  });
});
