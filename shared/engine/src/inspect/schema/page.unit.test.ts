import { describe, expect, it } from '@jest/globals';
import { isList } from '../../json.ts';
import { compile } from '../../testing/compile.ts';
import { blockSchema } from './block-schema.ts';
import { templatePage } from './page.ts';

const page = templatePage('- [A long log](recipes.md#a-long-log)');

describe('the page of the template language', () => {
  it('names every block, element, directive, operator, filter and limit', () => {
    const { block_types, elements, rich_text, directives, operators, filters, limits } = blockSchema();
    for (const table of [block_types, elements, rich_text, directives, operators, filters, limits]) {
      for (const name of Object.keys(table)) expect(page).toContain(`| \`${name}\``);
    }
  });

  it('leads to the recipes before its tables', () => {
    expect(page.indexOf('recipes.md#a-long-log')).toBeGreaterThan(0);
    expect(page.indexOf('recipes.md#a-long-log')).toBeLessThan(page.indexOf('## Blocks'));
  });

  it('shows examples that compile', () => {
    const [, example = ''] = /```json\n(.*?)```/s.exec(page) ?? [];
    const blocks: unknown = JSON.parse(example);
    const data = {
      order: { lines: [{ name: 'Lamp', price: 9.5 }] },
      weeks: [{ week: 'W1', orders: 3 }],
      products: [{ name: 'Mill' }],
      teams: [{ id: 1, name: 'Payments' }],
    };
    const result = compile(isList(blocks) ? blocks : [], data);
    expect(result.warnings).toEqual([]);
    expect(result.blocks.map(({ type }) => type)).toEqual([
      'table',
      'data_visualization',
      'carousel',
      'actions',
    ]);
  });
});
