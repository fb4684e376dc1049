import { describe, expect, it } from '@jest/globals';
import { flatRows, rowAround, rowOfDrawn, rowsOf, titleOf } from './rows.ts';

const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });
const blocks = [
  section('Deploy of\n{{service}}'),
  {
    type: 'directive',
    directive: '#each',
    path: 'changes',
    children: [section('{{title}}')],
    empty: [section('Nothing')],
  },
  {
    type: 'directive',
    directive: '#if',
    condition: { path: 'environment', operator: 'eq', value: 'production' },
    children: [{ type: 'divider' }],
  },
  'no block',
];

describe('the outline', () => {
  it('says of each block what it is and what it begins with', () => {
    expect(rowsOf(blocks).map(({ title, summary }) => [title, summary])).toEqual([
      ['Section', 'Deploy of {{service}}'],
      ['Repeat for each', 'changes'],
      ['If', 'environment is production'],
      ['Not a block', ''],
    ]);
    expect(titleOf({})).toBe('Block without a type');
    const texts = { type: 'directive', directive: '#translations', translations: { en: {}, de: {} } };
    expect(rowsOf([texts])).toMatchObject([{ title: 'Texts in languages', summary: 'en, de', groups: [] }]);
  });

  it('names partials, and shows nothing inside, which is changed in the partial itself', () => {
    const directive = { type: 'directive', with: {} };
    const children = [section('by {{author}}')];
    const rows = rowsOf([
      { ...directive, directive: '#use', partial: 'footer' },
      { ...directive, directive: '#with', partial: { key: 'footer', version: 4 }, children },
      { ...directive, directive: '#with', children },
    ]);
    expect(rows.map(({ title, summary, groups }) => [title, summary, groups.length])).toEqual([
      ['Partial', 'footer', 0],
      ['Partial', 'footer, version 4', 0],
      ['With names', '', 1],
    ]);
  });

  it('gives each part of a block a row, and a loop that makes parts none', () => {
    const button = { type: 'button', text: { type: 'plain_text', text: 'Approve' } };
    const loop = { type: 'directive', directive: '#each', path: 'all', children: [button] };
    const partsOf = (block: object) => flatRows(rowsOf([block])).filter(({ isPart }) => isPart);
    const [row] = partsOf({ type: 'actions', elements: [button] });
    expect(row).toMatchObject({ pointer: '/blocks/0/elements/0', title: 'Button', summary: 'Approve' });
    expect(partsOf({ ...section('x'), accessory: button }).map(({ pointer }) => pointer)).toEqual([
      '/blocks/0/accessory',
    ]);
    expect(partsOf({ type: 'actions', elements: [loop] })).toEqual([]);
  });

  it('shows what lies inside, with a name for the case that is not the usual one', () => {
    const [, loop] = rowsOf(blocks);
    expect(loop?.groups.map(({ pointer, title }) => [pointer, title])).toEqual([
      ['/blocks/1/children', undefined],
      ['/blocks/1/empty', 'When the list is empty'],
    ]);
  });

  it('leads from any place to the innermost row around it', () => {
    const rows = rowsOf(blocks);
    expect(flatRows(rows)).toHaveLength(7);
    expect(rowAround(rows, '/blocks/1/empty/0/text/text')?.pointer).toBe('/blocks/1/empty/0');
    expect(rowAround(rows, '/blocks/1/path')?.pointer).toBe('/blocks/1');
    // The eleventh is not inside of the first one.
    expect(rowAround(rows, '/blocks/10')).toBeUndefined();
  });

  it('is found from a drawn block, in loops too, also where an id ends in a number of its own', () => {
    const named = (id: string) => ({ ...section('x'), id });
    const rows = rowsOf([
      named('a'),
      named('a_1'),
      { type: 'directive', directive: '#each', path: 'list', children: [named('b'), named('c_2')] },
      { type: 'divider', block_id: 'd' },
    ]);
    const at = (id: string) => rowOfDrawn(rows, id)?.pointer;
    expect(['a', 'a_1', 'b_0', 'b_3_1', 'c_2_0', 'd', 'e_1', '7'].map(at)).toEqual([
      '/blocks/0',
      '/blocks/1',
      '/blocks/2/children/0',
      '/blocks/2/children/0',
      '/blocks/2/children/1',
      '/blocks/3',
      undefined,
      undefined,
    ]);
  });
});
