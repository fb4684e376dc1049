import { describe, expect, it } from '@jest/globals';
import { fillIds, parseTemplate } from './index.ts';
import { isObject } from './json.ts';
import { attempt, resolvePointer } from './testing/compile.ts';
import { type Payload, payloads } from './testing/corpus.ts';

/** The types of the corpus that the catalogue lacks so far; each leaves this list with its entry in the tables. */
const typesToCome = new Set([
  'alert',
  'card',
  'carousel',
  'checkboxes',
  'container',
  'context_actions',
  'data_table',
  'data_visualization',
  'datepicker',
  'datetimepicker',
  'feedback_buttons',
  'icon_button',
  'input',
  'plan',
  'radio_buttons',
  'rich_text_input',
  'table',
  'task_card',
  'timepicker',
  'video',
  'workflow_button',
]);

const typesIn = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(typesIn);
  if (!isObject(value)) return [];
  const own = typeof value.type === 'string' ? [value.type] : [];
  return [...own, ...Object.values(value).flatMap(typesIn)];
};

const isToCome = ({ blocks }: Payload): boolean => typesIn(blocks).some((type) => typesToCome.has(type));
const [valid, invalid] = [payloads('valid'), payloads('invalid')];
const present = (list: readonly Payload[]): Payload[] => list.filter((payload) => !isToCome(payload));
const toCome = (list: readonly Payload[]): Payload[] => list.filter(isToCome);

const counts = `${present(valid).length} valid and ${present(invalid).length} invalid here, ${toCome(valid).length} and ${toCome(invalid).length} with types not in the catalogue yet`;

// The payloads are data beside the project. Where they are missing nothing here runs, and the native messages of the
// project's own (`testing/native-messages.ts`) stand alone.
if (valid.length > 0) {
  describe(`payloads found in the wild: ${counts}`, () => {
    for (const { file, blocks, surface } of present(valid)) {
      it(`compile unchanged: ${file}`, () => {
        const result = attempt(blocks, {}, { surface });
        expect(result).toMatchObject({ ok: true, blocks, fieldsTruncated: 0 });
      });
    }

    for (const { file, blocks, surface, rule } of present(invalid)) {
      it(`are refused with a pointer when they breach "${rule}": ${file}`, () => {
        const result = attempt(blocks, {}, { surface });
        if (result.ok) throw new Error('compiled');
        expect(result.code).toBe('compilation_failed');
        for (const { pointer } of result.problems) expect(resolvePointer(blocks, pointer)).toBeDefined();
      });
    }

    for (const { file, blocks, surface } of toCome(valid)) {
      it(`are refused for nothing but types that are not in the catalogue yet: ${file}`, () => {
        const parsed = parseTemplate(blocks, { surface });
        if (parsed.ok) throw new Error('a type of this payload is in the catalogue: take it off the list');
        for (const { pointer, rule } of parsed.problems) {
          expect(rule).toBe('type.unknown');
          expect(typesToCome).toContain(resolvePointer(blocks, pointer));
        }
      });
    }

    it('compile to the same with ids filled in, but for those ids', () => {
      for (const { blocks, surface } of present(valid)) {
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
