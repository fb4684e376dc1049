import { describe, expect, it } from '@jest/globals';
import { isObject } from '../json.ts';
import { compile } from '../testing/compile.ts';
import { describeBlocks } from '../testing/described.ts';
import { nativeMessages, nativeView } from '../testing/native-messages.ts';
import { catalogue } from './catalogue.ts';

/** Every type in blocks, as `table:type`. */
const typesIn = (blocks: readonly unknown[]): string[] => [
  ...blocks.filter(isObject).map(({ type }) => `blocks:${String(type)}`),
  ...describeBlocks(blocks).flatMap(({ description, value }) =>
    description.kind === 'one_of' && isObject(value) ? [`${description.table}:${String(value.type)}`] : [],
  ),
];

describe('a native message', () => {
  it.each(Object.entries(nativeMessages))('compiles unchanged: %s', (_, blocks) => {
    const result = compile(blocks);
    expect(result.blocks).toEqual(blocks);
    expect(result.warnings).toEqual([]);
    expect(result.fieldsTruncated).toBe(0);
  });

  it('keeps the order of its keys', () => {
    const block = { text: { text: 'x', type: 'mrkdwn' }, type: 'section', block_id: 'a' };
    expect(JSON.stringify(compile([block]).blocks)).toBe(JSON.stringify([block]));
  });
});

describe('what people paste from the platform’s own builder', () => {
  const pasted = new Set([...Object.values(nativeMessages), nativeView].flatMap(typesIn));
  /** Of this language alone: the platform knows neither a chart that is bound to a list nor interactions. */
  const { interactions: _, ...native } = catalogue;
  const ours = 'blocks:chart';

  it.each(Object.entries(native))('holds everything that the platform knows: %s', (table, kinds) => {
    const types = Object.keys(kinds).map((type) => `${table}:${type}`);
    expect(types.filter((type) => type !== ours && !pasted.has(type))).toEqual([]);
  });
});
