import { describe, expect, it } from '@jest/globals';
import { fillIds } from './index.ts';
import { isObject } from './json.ts';
import { attempt, resolvePointer } from './testing/compile.ts';
import { payloads } from './testing/corpus.ts';

/** Words that a problem must contain, where the payload names the breach. */
const expectedOf = (rule: string): object => {
  const most = /at most (\d+)/.exec(rule)?.[1] ?? /1-(\d+)$/.exec(rule)?.[1];
  if (/page_size/.test(rule)) return { pointer: expect.stringMatching(/page_size$/), rule: 'value.type' };
  if (most !== undefined) return { rule: 'limit.max', max: Number(most), actual: expect.any(Number) };
  if (/at least 1/.test(rule)) return { rule: 'limit.min', actual: 0 };
  if (/as wide/.test(rule)) return { rule: 'table.width', pointer: expect.stringMatching(/\/rows\/\d+$/) };
  if (/one table/.test(rule)) return { limit: 'message.tables', max: 1 };
  if (/unknown|cards only|images and texts|must be an input/.test(rule)) return { rule: 'type.unknown' };
  if (/^(?:alert|data_.*) is for/.test(rule)) return { rule: 'type.surface' };
  if (/cannot be posted/.test(rule)) return { rule: 'type.not_posted' };
  if (/is an object/.test(rule)) return { rule: 'value.type', pointer: '/0' };
  return { rule: expect.stringMatching(/^(?:required|key\.one_of)$/) };
};

const [valid, invalid] = [payloads('valid'), payloads('invalid')];
// The payloads are not part of the project. Where they are missing these tests are left out, and only the project's own
// native messages (`testing/native-messages.ts`) are tested.
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
        expect(result.problems).toContainEqual(expect.objectContaining(expectedOf(rule ?? '')));
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
