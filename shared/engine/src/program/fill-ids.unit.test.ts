import { describe, expect, it } from '@jest/globals';
import { fillIds } from '../index.ts';
import { compile, directive, section } from '../testing/compile.ts';
import { nativeMessages } from '../testing/native-messages.ts';

const counter = () => {
  let count = 0;
  return () => {
    count += 1;
    return String(count);
  };
};
const fill = (blocks: unknown) => fillIds(JSON.parse(JSON.stringify(blocks)), counter());
const button = (more: object = {}) => ({ type: 'button', text: { type: 'plain_text', text: 'Go' }, ...more });

describe('filling ids', () => {
  it('gives each block an id and each acting element an action_id', () => {
    expect(fill([section('x', { accessory: button() }), { type: 'actions', elements: [button()] }])).toEqual([
      section('x', { id: 'blk_2', accessory: button({ action_id: 'act_1' }) }),
      { type: 'actions', id: 'blk_4', elements: [button({ action_id: 'act_3' })] },
    ]);
  });

  it('keeps the ids that are supplied, under either name', () => {
    const blocks = [
      { type: 'divider', id: 'a' },
      { type: 'divider', block_id: 'b' },
      { type: 'actions', id: 'c', elements: [button({ action_id: 'd' })] },
    ];
    expect(fill(blocks)).toEqual(blocks);
  });

  it.each([[''], [null]])('takes an id that is %j for one that is left out', (id) => {
    const blocks = [
      { type: 'divider', id },
      { type: 'divider', block_id: id },
      { type: 'actions', id: 'a', elements: [button({ action_id: id })] },
    ];
    expect(fill(blocks)).toEqual([
      { type: 'divider', id: 'blk_1' },
      { type: 'divider', id: 'blk_2' },
      { type: 'actions', id: 'a', elements: [button({ action_id: 'act_3' })] },
    ]);
    expect(
      compile([{ type: 'divider', id }, section('x', { accessory: button({ action_id: id }) })]).blocks,
    ).toEqual([{ type: 'divider' }, section('x', { accessory: button() })]);
  });

  it('reaches into containers, cards, carousels and inputs', () => {
    const card = (more: object = {}) => ({ type: 'card', title: { type: 'plain_text', text: 'x' }, ...more });
    const blocks = [
      { type: 'container', child_blocks: [{ type: 'input', element: { type: 'plain_text_input' } }] },
      { type: 'carousel', elements: [card({ actions: [button()] })] },
      { type: 'carousel', source: 'list', item: card({ actions: [button()] }) },
    ];
    const acting = { actions: [button({ action_id: expect.stringMatching(/^act_/) })] };
    const id = expect.stringMatching(/^blk_/);
    expect(fill(blocks)).toEqual([
      {
        type: 'container',
        id,
        child_blocks: [
          {
            type: 'input',
            id,
            element: { type: 'plain_text_input', action_id: expect.stringMatching(/^act_/) },
          },
        ],
      },
      { type: 'carousel', id, elements: [card({ id, ...acting })] },
      { type: 'carousel', id, source: 'list', item: card({ id, ...acting }) },
    ]);
  });

  it('gives none to what is only shown', () => {
    const image = { type: 'image', image_url: 'https://e.com', alt_text: 'x' };
    expect(fill([{ type: 'context', id: 'a', elements: [image, { type: 'mrkdwn', text: 'x' }] }])).toEqual([
      { type: 'context', id: 'a', elements: [image, { type: 'mrkdwn', text: 'x' }] },
    ]);
  });

  it('reaches into directives, in blocks and in elements', () => {
    const loop = (child: unknown) => directive('#each', { path: 'items', children: [child], empty: [child] });
    const branch = directive('#if', {
      condition: { path: 'a' },
      children: [section('x')],
      else: [section('y')],
    });
    const filled = fill([loop(branch), { type: 'actions', elements: [loop(button())] }]);
    const text = JSON.stringify(filled);
    expect(text.match(/"id":"blk_/g)).toHaveLength(8);
    expect(text.match(/"action_id":"act_/g)).toHaveLength(2);
    expect(() => compile(filled, { items: [1] })).not.toThrow();
  });

  it('changes nothing of the input', () => {
    const blocks = [section('x', { accessory: button() })];
    const before = JSON.stringify(blocks);
    fillIds(blocks, counter());
    expect(JSON.stringify(blocks)).toBe(before);
  });

  it.each(Object.entries(nativeMessages))(
    'lets a native message compile unchanged but for the ids: %s',
    (_, message) => {
      const { blocks } = compile(fill(message));
      const withoutIds = JSON.parse(JSON.stringify(blocks), (key, value) =>
        key === 'block_id' && String(value).startsWith('blk_') ? undefined : value,
      );
      expect(withoutIds).toEqual(message);
    },
  );
});
