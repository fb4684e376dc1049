import { describe, expect, it } from '@jest/globals';
import { blockSchema, limits } from './index.ts';

const schema = blockSchema();
const namesOf = (value: object): string[] => Object.keys(value);

describe('the block schema', () => {
  it('lists every block type, element, directive, operator and filter', () => {
    expect(namesOf(schema.block_types)).toEqual(
      expect.arrayContaining([
        'header',
        'section',
        'divider',
        'image',
        'context',
        'actions',
        'rich_text',
        'markdown',
      ]),
    );
    expect(namesOf(schema.elements)).toEqual(
      expect.arrayContaining(['button', 'overflow', 'static_select', 'image']),
    );
    expect(namesOf(schema.directives)).toEqual(['#each', '#if', '#block']);
    expect(namesOf(schema.operators)).toHaveLength(18);
    expect(namesOf(schema.filters)).toHaveLength(22);
  });

  it('prints every limit, those of interactivity in their own place', () => {
    expect(schema.limits).toMatchObject({
      'message.blocks': { max: 50 },
      'view.blocks': { max: 100 },
      'header.text': { max: 150 },
    });
    expect(schema.interactivity.limits).toMatchObject({ 'interactivity.metadata_bytes': { max: 3_800 } });
    expect([...namesOf(schema.limits), ...namesOf(schema.interactivity.limits)].sort()).toEqual(
      Object.keys(limits).sort(),
    );
  });

  it('names a limit of the table wherever a block type or element has one', () => {
    const named = [...JSON.stringify(schema).matchAll(/"limit":"([^"]+)"/g)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((name) => !Object.hasOwn(limits, String(name)))).toEqual([]);
  });

  it('gives the source of every figure', () => {
    for (const { source, max } of Object.values(limits)) {
      expect(source).not.toBe('');
      expect(max).toBeGreaterThan(0);
    }
  });

  it('is JSON', () => {
    expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
  });
});
