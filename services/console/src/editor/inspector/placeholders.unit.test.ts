import { describe, expect, it } from '@jest/globals';
import { openPlaceholder, placeholdersAt, withPlaceholder } from './placeholders.ts';

const data = { service: 'billing', order: { total: 3 }, changes: [{ title: 'Faster', tags: ['a'] }] };
const section = { type: 'section', text: { type: 'mrkdwn', text: '' } };
const inner = { type: 'directive', directive: '#each', path: 'change.tags', children: [section] };
const document = {
  blocks: [
    section,
    { type: 'directive', directive: '#each', path: 'changes', as: 'change', children: [section, inner] },
  ],
};
const paths = (pointer: string) => placeholdersAt(document, pointer, [], data).map(({ path }) => path);

describe('the values that a text can name', () => {
  it('come from the data, each with its kind and an example', () => {
    expect(placeholdersAt(document, '/blocks/0/text/text', [], data)).toEqual([
      { path: 'service', kind: 'text', example: 'billing' },
      { path: 'order.total', kind: 'number', example: '3' },
      { path: 'changes', kind: 'list', example: '1 item' },
    ]);
  });

  it('begin inside of a loop with the values of an item', () => {
    expect(paths('/blocks/1/children/0/text/text').slice(0, 3)).toEqual([
      'change.title',
      'change.tags',
      'service',
    ]);
    expect(paths('/blocks/1/children/1/children/0/text/text').slice(0, 2)).toEqual(['this', 'change.title']);
  });

  it('come from what the template reads where there is no data', () => {
    const field = { name: 'owner', path: 'owner', label: 'Owner', type: 'string', required: true } as const;
    expect(placeholdersAt(document, '/blocks/0', [field], {})).toEqual([
      { path: 'owner', kind: 'text', example: '' },
    ]);
  });

  it('are offered behind two braces, and take the place of what was typed', () => {
    expect(openPlaceholder('Hi {{ser', 8)).toEqual({ from: 3, typed: 'ser' });
    expect(openPlaceholder('Hi {{service}} and', 18)).toBeUndefined();
    expect(openPlaceholder('Hi {{a | up', 11)).toBeUndefined();
    expect(withPlaceholder('Hi {{ser, you', 3, 8, 'service')).toEqual({
      text: 'Hi {{service}}, you',
      caret: 14,
    });
    expect(withPlaceholder('Hi {{}}', 3, 5, 'a')).toEqual({ text: 'Hi {{a}}', caret: 8 });
  });
});
