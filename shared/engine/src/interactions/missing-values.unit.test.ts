import { describe, expect, it } from '@jest/globals';
import { deriveInputs, parseTemplate } from '../index.ts';
import { attempt, compile, directive, section } from '../testing/compile.ts';

const id = '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f';
const button = (...interaction: unknown[]) => ({
  type: 'actions',
  elements: [{ type: 'button', action_id: 'go', text: { type: 'plain_text', text: 'Go' }, interaction }],
});
const opening = (data: unknown, modal_id = id) => button({ type: 'open_modal', modal_id, data });
const updating = (...blocks: unknown[]) => button({ type: 'update_message', strategy: 'append', blocks });
const missing = (blocks: readonly unknown[], data: Record<string, unknown> = {}) =>
  compile(blocks, data).warnings.filter((it) => it.includes('is missing'));
const inside = '/0/elements/0/interaction/0';

describe('a value that an interaction alone reads', () => {
  it.each([
    ['data of a modal', opening({ n: ['{{order.id}}'] }), `${inside}/data/n/0`],
    ['the modal itself', opening({}, '{{order.id}}'), `${inside}/modal_id`],
    [
      'what a destination gets',
      button({ type: 'call_destination', destination_id: id, payload: 'x {{order.id}}' }),
      `${inside}/payload`,
    ],
    ['the blocks of an update', updating(section('{{order.id}}')), `${inside}/blocks/0/text/text`],
    [
      'a list of an update',
      updating(directive('#each', { path: 'order.id', children: [section('{{this}}')] })),
      `${inside}/blocks/0/path`,
    ],
  ])('is warned of where it is missing or null, and refused by a strict run: %s', (_, block, pointer) => {
    for (const data of [{}, { order: { id: null } }]) {
      expect(missing([block], data)).toEqual([
        `${pointer}: \`order.id\` is missing, so nothing stands in its place.`,
      ]);
      expect(attempt([block], data, { strict: true })).toMatchObject({
        ok: false,
        code: 'invalid_data',
        problems: [{ rule: 'value.missing', pointer }],
      });
    }
    expect(missing([block], { order: { id: [id] } })).toEqual([]);
  });

  it('is one of all that a strict run lists', () => {
    const result = attempt([section('{{a}}'), opening({ b: '{{b}}', c: '{{c}}' })], {}, { strict: true });
    const messages = result.ok ? [] : result.problems.map(({ message }) => message.split(' ')[0]);
    expect(messages).toEqual(['`a`', '`b`', '`c`']);
  });

  it('is named with its item in a loop', () => {
    const blocks = [directive('#each', { path: 'items', children: [opening({ n: '{{this.id}}' })] })];
    expect(missing(blocks, { items: [{ id: 1 }, {}] })).toEqual([
      expect.stringContaining('`items[1].id` is missing'),
    ]);
  });

  it.each([
    ['it has a default', opening({ n: '{{order.id | default:"none"}}' })],
    ['a condition asks for it', updating(directive('#if', { condition: { path: 'order' }, children: [] }))],
    [
      'a condition of the interaction is around it',
      updating(directive('#if', { condition: { path: 'interaction.form.a' }, children: [section('{{b}}')] })),
    ],
    [
      'a loop of the interaction is around it',
      updating(directive('#each', { path: 'items', children: [section('{{this.name}} {{b}}')] })),
    ],
    ['it is a fact of the use', opening({ n: '{{interaction.user.id}}' })],
  ])('may be missing where %s', (_, block) => {
    expect(missing([block], { items: [] })).toEqual([]);
    expect(attempt([block], { items: [] }, { strict: true })).toMatchObject({ ok: true });
  });

  it('may be missing where its element is not shown', () => {
    const hidden = directive('#if', {
      condition: { path: 'no' },
      children: [opening({ n: '{{order.id}}' })],
    });
    expect(missing([hidden])).toEqual([]);
  });

  it('is required by the inputs of the template, where its absence is told in every run', () => {
    const parsed = parseTemplate([opening({ n: '{{a}}', m: '{{b | default:"x"}}' })], { surface: 'message' });
    const fields = parsed.ok ? deriveInputs(parsed.program, undefined).fields : [];
    expect(fields.map(({ name, required }) => [name, required])).toEqual([
      ['a', true],
      ['b', false],
    ]);
  });

  it('is kept for the elements that an update brings', () => {
    const { metadata } = compile([updating(opening({ n: '{{order.id}}' }))], { order: { id: 'A-1' } });
    expect(JSON.parse(metadata?.event_payload.context ?? '')).toEqual({ values: { 'order.id': 'A-1' } });
    expect(missing([updating(opening({ n: '{{order.id}}' }))])).toHaveLength(1);
  });
});
