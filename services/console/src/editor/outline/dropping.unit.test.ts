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

describe('a place for a block', () => {
  it('is in every list of blocks, and in a frame for what may stand in one, in a loop of it too', () => {
    const inFrames = ['/blocks/2/child_blocks', '/blocks/2/child_blocks/1/children'];
    expect(listsFor('/blocks/0')).toEqual([...everywhere, ...inFrames]);
    expect(listsFor('/blocks/1/children/0')).toEqual(everywhere);
    expect(listsFor('/blocks/6')).toEqual(everywhere);
  });

  it('is not inside of the block itself, nor in a frame for a loop that holds what may not stand there', () => {
    expect(listsFor('/blocks/1')).toEqual(['/blocks']);
    expect(listsFor('/blocks/2')).toEqual(everywhere);
    expect(listsFor('/blocks/2/child_blocks/1')).toEqual([...everywhere, '/blocks/2/child_blocks']);
  });

  it('is next to the blocks of the message alone for texts in languages', () => {
    const texts = { type: 'directive', directive: '#translations', translations: {} };
    const withTexts = { blocks: [texts, ...document.blocks] };
    expect(mayStand(withTexts, '/blocks/0', '/blocks', schema)).toBe(true);
    expect(mayStand(withTexts, '/blocks/0', '/blocks/2/children', schema)).toBe(false);
  });

  it('is for a part in lists of parts that take its type, and nowhere for a part in a text of blocks', () => {
    expect(listsFor('/blocks/3/elements/0')).toEqual(['/blocks/3/elements']);
    expect(listsFor('/blocks/5/accessory')).toEqual(['/blocks/3/elements']);
    expect(listsFor('/blocks/4/elements/0')).toEqual(['/blocks/4/elements']);
  });

  it('is in no list that is full, other than the own one', () => {
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

describe('a block that is moved', () => {
  const [header, , frame] = document.blocks;

  it('stands before what it was put before, also where its own place was above that', () => {
    const down = movedTo(document, '/blocks/0', '/blocks/2');
    expect(down.selected).toBe('/blocks/1');
    expect(down.document.blocks.slice(0, 3)).toEqual([loop, header, frame]);
    const up = movedTo(document, '/blocks/2', '/blocks/0');
    expect(up.selected).toBe('/blocks/0');
    expect(up.document.blocks.slice(0, 3)).toEqual([frame, header, loop]);
    expect(movedTo(document, '/blocks/0', '/blocks/7').selected).toBe('/blocks/6');
  });

  it('goes into a group and out of it', () => {
    const into = movedTo(document, '/blocks/0', '/blocks/1/children/1');
    expect(into.selected).toBe('/blocks/0/children/1');
    expect(into.document.blocks[0]).toEqual({ ...loop, children: [{ type: 'alert' }, header] });
    expect(movedTo(into.document, into.selected ?? '', '/blocks/0').document).toEqual(document);
  });

  it('changes nothing where it stands already', () => {
    expect(isOwnPlace('/blocks/1', '/blocks/2')).toBe(true);
    expect(isOwnPlace('/blocks/1', '/blocks/3')).toBe(false);
    expect(isOwnPlace('/blocks/1', '/blocks/2/children/1')).toBe(false);
    expect(movedTo(document, '/blocks/1', '/blocks/2').document).toBe(document);
  });

  it('is said with its place, and with the group it stands in', () => {
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
