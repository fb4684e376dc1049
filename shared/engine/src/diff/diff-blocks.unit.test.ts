import { describe, expect, it } from '@jest/globals';
import { cases } from '@stanza/test-kit/cases';
import fc from 'fast-check';
import { withoutGeneratedIds } from '../generated-ids.ts';
import type { Block } from '../program/fill-ids.ts';
import { applyDiff } from '../testing/apply-diff.ts';
import { diffBlocks } from './diff-blocks.ts';

const generated = (kind: 'blk' | 'act', digit: string) =>
  `${kind}_01938c2e-7b1a-7c3d-9e4f-00000000000${digit}`;

const value = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>('a', 'b', '', 1, 2, true, null),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('text', 'type', 'a/b', 'm~n', '__proto__', 'action_id'), tie('json'), {
      maxKeys: 3,
    }),
  ),
})).json;

const block = fc
  .record({
    type: fc.constantFrom('section', 'header', 'actions'),
    id: fc.option(fc.constantFrom('a', 'b', 'c', 'd', generated('blk', '1'), generated('blk', '2')), {
      nil: undefined,
    }),
    text: value,
    elements: fc.array(value, { maxLength: 3 }),
  })
  .map(({ id, ...rest }): Block => ({ ...rest, ...(id !== undefined && { id }) }));
const blocks = fc.array(block, { maxLength: 8 });

const section = (id: string, text = id): Block => ({ type: 'section', id, text });

describe('the difference between two lists of blocks', () => {
  it('applied to the one gives the other, but for generated ids', () => {
    fc.assert(
      fc.property(blocks, blocks, (before, after) => {
        const made = applyDiff(before, diffBlocks(before, after));
        expect(withoutGeneratedIds(made)).toEqual(withoutGeneratedIds(after));
      }),
      { numRuns: cases(1_000) },
    );
  });

  it('applied after blocks were shuffled, dropped and repeated gives the other', () => {
    const related = blocks.chain((before) =>
      fc.tuple(
        fc.constant(before),
        fc.array(fc.oneof(fc.constantFrom(...before, section('new')), block), { maxLength: 10 }),
      ),
    );
    fc.assert(
      fc.property(related, ([before, after]) => {
        const made = applyDiff(before, diffBlocks(before, after));
        expect(withoutGeneratedIds(made)).toEqual(withoutGeneratedIds(after));
      }),
      { numRuns: cases(1_000) },
    );
  });

  it('of a list and itself is nothing', () => {
    fc.assert(
      fc.property(blocks, (list) => {
        expect(diffBlocks(list, structuredClone(list))).toEqual({
          added: [],
          removed: [],
          moved: [],
          changed: [],
        });
      }),
      { numRuns: cases(500) },
    );
  });

  it('moves as few blocks as it can', () => {
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((id) => section(id));
    if (!a || !b || !c || !d) throw new Error('unreachable');
    expect(diffBlocks([a, b, c, d], [d, a, b, c]).moved).toEqual([
      { block_id: 'd', type: 'section', from: '/blocks/3', to: '/blocks/0' },
    ]);
    expect(diffBlocks([a, b, c], [b, section('new'), c]).moved).toEqual([]);
  });

  it('points at what changed inside a block, at the place that the block has now', () => {
    const before = [
      section('first'),
      { type: 'actions', id: 'do', elements: [{ text: 'Go', style: 'danger' }, { text: 'Stop' }] },
    ];
    const after = [{ type: 'actions', id: 'do', elements: [{ text: 'Run', url: 'u' }] }];
    expect(diffBlocks(before, after)).toEqual({
      added: [],
      removed: [{ block_id: 'first', type: 'section', pointer: '/blocks/0', block: before[0] }],
      moved: [],
      changed: [
        {
          block_id: 'do',
          type: 'actions',
          pointer: '/blocks/0',
          before: '/blocks/1',
          changes: [
            { op: 'remove', pointer: '/blocks/1/elements/0/style', from: 'danger' },
            { op: 'replace', pointer: '/blocks/0/elements/0/text', from: 'Go', to: 'Run' },
            { op: 'add', pointer: '/blocks/0/elements/0/url', to: 'u' },
            { op: 'remove', pointer: '/blocks/1/elements/1', from: { text: 'Stop' } },
          ],
        },
      ],
    });
  });

  it('finds nothing where an author sent the same blocks without ids a second time', () => {
    const sent = (digit: string): Block[] => [
      { type: 'divider', id: generated('blk', digit) },
      {
        type: 'actions',
        id: generated('blk', digit === '1' ? '3' : '4'),
        elements: [{ type: 'button', action_id: generated('act', digit) }],
      },
    ];
    expect(diffBlocks(sent('1'), sent('2'))).toEqual({ added: [], removed: [], moved: [], changed: [] });
  });

  it('takes a block without an id for the one of its type that is left, and shows what changed in it', () => {
    const before = [{ type: 'section', id: generated('blk', '1'), text: 'old' }];
    const after = [
      { type: 'divider', id: 'end' },
      { type: 'section', id: generated('blk', '2'), text: 'new' },
    ];
    expect(diffBlocks(before, after)).toMatchObject({
      added: [{ block_id: 'end' }],
      removed: [],
      changed: [{ pointer: '/blocks/1', before: '/blocks/0', changes: [{ from: 'old', to: 'new' }] }],
    });
  });

  it('takes a block with another id of its author for another block', () => {
    expect(diffBlocks([section('a', 'x')], [section('b', 'y')])).toMatchObject({
      added: [{ block_id: 'b' }],
      removed: [{ block_id: 'a' }],
      changed: [],
    });
  });

  it('says that a block has changed as a whole where its pointers would take more than both versions', () => {
    const holding = (items: number): Block[] => [
      section('first', `${items}`),
      {
        type: 'actions',
        id: 'long',
        payload: { ['key'.repeat(1_000)]: Array.from({ length: 1_000 }, () => items) },
      },
      section('last', `${items}`),
    ];
    const [before, after] = [holding(1), holding(2)];
    const diff = diffBlocks(before, after);
    expect(diff.changed.map(({ changes }) => changes)).toEqual([
      [expect.objectContaining({ pointer: '/blocks/0/text', from: '1', to: '2' })],
      [{ op: 'replace', pointer: '/blocks/1', from: before[1], to: after[1] }],
      [expect.objectContaining({ pointer: '/blocks/2/text', from: '1', to: '2' })],
    ]);
  });
});
