import { describe, expect, it } from '@jest/globals';
import { fillIds } from './index.ts';
import { isObject } from './json.ts';
import { attempt, resolvePointer } from './testing/compile.ts';
import { payloads } from './testing/corpus.ts';

const [valid, invalid] = [payloads('valid'), payloads('invalid')];
// The payloads are data beside the project. Where they are missing nothing here runs, and the native messages of the
// project's own (`testing/native-messages.ts`) stand alone.
if (valid.length > 0) {
  describe(`payloads found in the wild: ${valid.length} valid and ${invalid.length} invalid`, () => {
    for (const { file, blocks, surface } of valid) {
      it(`compile unchanged: ${file}`, () => {
        const result = attempt(blocks, {}, { surface });
        expect(result).toMatchObject({ ok: true, blocks, fieldsTruncated: 0 });
      });
    }

    for (const { file, blocks, surface, rule } of invalid) {
      it(`are refused with a pointer when they breach "${rule}": ${file}`, () => {
        const result = attempt(blocks, {}, { surface });
        if (result.ok) throw new Error('compiled');
        expect(result.code).toBe('compilation_failed');
        for (const { pointer } of result.problems) expect(resolvePointer(blocks, pointer)).toBeDefined();
      });
    }

    it('compile to the same with ids filled in, but for those ids', () => {
      for (const { blocks, surface } of valid) {
        const typed = blocks.flatMap((block) =>
          isObject(block) && typeof block.type === 'string' ? [{ ...block, type: block.type }] : [],
        );
        const result = attempt(
          fillIds(typed, () => 'new'),
          {},
          { surface },
        );
        if (!result.ok) throw new Error(JSON.stringify(result.problems));
        const text = JSON.stringify(result.blocks, (key, value) =>
          /^(?:blk|act)_new/.test(String(value)) && key.endsWith('_id') ? undefined : value,
        );
        expect(JSON.parse(text)).toEqual(blocks);
      }
    });
  });
}

const without = valid.length > 0 ? '' : ' (there are no payloads from the wild beside this checkout)';

describe(`our own samples of what is refused${without}`, () => {
  it.each([
    ['a block that is no object', ['text']],
    ['a block without a type', [{ text: 'x' }]],
    ['an unknown type', [{ type: 'knob' }]],
    ['a button without its text', [{ type: 'actions', elements: [{ type: 'button' }] }]],
    [
      'a context with a button',
      [{ type: 'context', elements: [{ type: 'button', text: { type: 'plain_text', text: 'x' } }] }],
    ],
  ])('%s', (_, blocks) => {
    expect(attempt(blocks)).toMatchObject({ ok: false, code: 'compilation_failed' });
  });
});
