import { describe, expect, it } from '@jest/globals';
import { blockSamples } from '../testing/block-samples.ts';
import { findViewRefusal } from './view.ts';

const plain = (text: string) => ({ type: 'plain_text', text });
const modal = (more: object = {}) => ({
  type: 'modal',
  title: plain('Order'),
  blocks: [blockSamples.section],
  ...more,
});

describe('a view', () => {
  it('may be a modal or a home tab', () => {
    expect(findViewRefusal(modal())).toBeUndefined();
    expect(findViewRefusal({ type: 'home', blocks: [blockSamples.header] })).toBeUndefined();
  });

  it('may not have a title over 24 characters', () => {
    expect(findViewRefusal(modal({ title: plain('x'.repeat(25)) }))?.problems).toEqual([
      { pointer: '/view/title/text', reason: 'must be less than 25 characters' },
    ]);
  });

  it('needs a submit label when it holds an input', () => {
    const blocks = [blockSamples.input];
    expect(findViewRefusal(modal({ blocks }))?.problems).toHaveLength(1);
    expect(findViewRefusal(modal({ blocks, submit: plain('Send') }))).toBeUndefined();
  });

  it('reports an invalid block with its place in the view', () => {
    expect(findViewRefusal(modal({ blocks: [{ type: 'sektion' }] }))?.problems).toEqual([
      { pointer: '/view/blocks/0/type', reason: 'unsupported type: sektion' },
    ]);
  });

  it('may have `focus_on_load` on one element at most', () => {
    const input = (block_id: string) => ({
      ...blockSamples.input,
      block_id,
      element: { type: 'plain_text_input', focus_on_load: true },
    });
    const refusal = findViewRefusal(modal({ submit: plain('Send'), blocks: [input('a'), input('b')] }));
    expect(refusal?.problems).toEqual([
      { pointer: '/view/blocks', reason: 'focus_on_load is allowed on one element' },
    ]);
  });

  it('may not be larger than 250 KB', () => {
    const huge = Array.from({ length: 100 }, (_, index) => ({
      type: 'section',
      block_id: `b${index}`,
      text: { type: 'mrkdwn', text: 'x'.repeat(3_000) },
    }));
    expect(findViewRefusal(modal({ blocks: huge }))?.error).toBe('view_too_large');
  });
});
