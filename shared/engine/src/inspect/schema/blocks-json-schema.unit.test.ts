import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { blockKinds } from '../../blocks/blocks.ts';
import { elements } from '../../blocks/elements/elements.ts';
import { parseTemplate } from '../../index.ts';
import { isObject } from '../../json.ts';
import { directive, header, section } from '../../testing/compile.ts';
import { payloads } from '../../testing/corpus.ts';
import { nativeMessages, nativeView } from '../../testing/native-messages.ts';
import { samples } from '../../testing/samples.ts';
import { blockSchema } from './block-schema.ts';

const schema = blockSchema().json_schema;
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: false, code: { optimize: false } });
const acceptsMessage = ajv.compile({ ...schema, $id: 'blocks' });
const acceptsView = ajv.compile({ $ref: 'blocks#/$defs/view_blocks' });
const accepts = { message: acceptsMessage, view: acceptsView };

const plain = (text: string) => ({ type: 'plain_text', text });
const actions = (element: object) => [{ type: 'actions', elements: [element] }];
const option = { text: plain('x'), value: 'v' };

describe('the JSON Schema of blocks', () => {
  it('has an entry for every block and element', () => {
    const { $defs } = schema;
    const names = isObject($defs) ? Object.keys($defs) : [];
    expect(names).toEqual(
      expect.arrayContaining([
        ...Object.keys(blockKinds).map((type) => `blocks.${type}`),
        ...Object.keys(elements).map((type) => `elements.${type}`),
      ]),
    );
  });

  it.each(Object.entries(nativeMessages))('accepts a native message: %s', (_, blocks) => {
    expect([acceptsMessage(blocks), acceptsMessage.errors]).toEqual([true, null]);
  });

  it('accepts a native view', () => {
    expect([acceptsView(nativeView), acceptsView.errors]).toEqual([true, null]);
    expect(acceptsMessage(nativeView)).toBe(false);
  });

  it.each(samples.map(({ name, template }) => [name, template] as const))(
    'accepts a template from real life: %s',
    (_, template) => {
      expect([acceptsMessage(template), acceptsMessage.errors]).toEqual([true, null]);
    },
  );

  it.each([
    ['placeholders in what is no text', actions({ type: 'datepicker', focus_on_load: '{{a}}' })],
    [
      'ids under both names, and none',
      [
        { type: 'divider', id: null },
        { type: 'divider', block_id: 'x' },
      ],
    ],
    ['a whole list of plain values', actions({ type: 'multi_users_select', initial_users: '{{users}}' })],
    [
      'directives inside directives, in any list',
      [
        directive('#if', {
          id: 'x',
          condition: { all: [{ path: 'a' }, { not: { path: 'b', operator: 'in', value: [1] } }] },
          children: [directive('#each', { path: 'a', as: 'it', children: [section('x')], max_items: 2 })],
          else: [
            {
              type: 'section',
              fields: [directive('#block', { name: 'x', children: [plain('x')] })],
            },
          ],
        }),
      ],
    ],
    [
      'a table with a source',
      [
        {
          type: 'table',
          source: 'a',
          columns: [{ header: 'A', value: '{{this}}', align: 'right' }],
          max_rows: 5,
        },
      ],
    ],
    [
      'a chart with a source',
      [{ type: 'chart', title: 'T', chart: 'pie', source: 'a', label: '{{this.a}}', value: '{{this.b}}' }],
    ],
    [
      'a carousel with a source',
      [{ type: 'carousel', source: 'a', item: { type: 'card', title: plain('x') } }],
    ],
    ['options with a source', actions({ type: 'overflow', options: { source: 'a', item: option } })],
    [
      'an interaction',
      actions({
        type: 'button',
        action_id: 'a',
        text: plain('x'),
        interaction: [
          { type: 'open_modal', modal_id: '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f', data: { a: ['{{x}}'] } },
          { type: 'update_message', strategy: 'append', blocks: [section('x')] },
        ],
      }),
    ],
  ])('accepts %s', (_, blocks) => {
    expect([acceptsMessage(blocks), acceptsMessage.errors]).toEqual([true, null]);
    expect(parseTemplate(blocks, { surface: 'message' })).toMatchObject({ ok: true });
  });

  it.each([
    ['no list', {}],
    ['a block without its type', [{ text: plain('x') }]],
    ['an unknown type', [{ type: 'sektion' }]],
    ['an unknown key', [{ ...header('x'), txt: 1 }]],
    ['a missing key', [{ type: 'header' }]],
    [
      'keys that exclude each other',
      actions({ type: 'static_select', options: [option], option_groups: [] }),
    ],
    ['none of two keys', [{ type: 'section' }]],
    ['a text that is no object', [{ type: 'header', text: 'x' }]],
    ['an element where it has no place', [{ type: 'context', elements: [{ type: 'divider' }] }]],
    ['too many entries', actions({ type: 'overflow', options: Array(6).fill(option) })],
    ['too few entries', actions({ type: 'overflow', options: [] })],
    ['an id that is too long', [{ type: 'divider', id: 'x'.repeat(256) }]],
    ['a number out of its range', [{ type: 'data_table', caption: 'x', page_size: 101, rows: [] }]],
    ['a block of views', [{ type: 'alert', text: plain('x') }]],
    ['a file', [{ type: 'file', external_id: 'x', source: 'remote' }]],
    ['an unknown directive', [directive('#loop', { path: 'a', children: [] })]],
    ['an unknown operator', [directive('#if', { condition: { path: 'a', operator: 'like' }, children: [] })]],
    [
      'a chart without a value',
      [{ type: 'chart', title: 'T', chart: 'pie', source: 'a', label: '{{this}}' }],
    ],
  ])('refuses %s, as the engine does', (_, blocks) => {
    expect(acceptsMessage(blocks)).toBe(false);
    expect(parseTemplate(Array.isArray(blocks) ? blocks : [blocks], { surface: 'message' }).ok).toBe(false);
  });
});

const [valid, invalid] = [payloads('valid'), payloads('invalid')];
/** Limits over several blocks or keys, which are no matter of shape. */
const ofSeveral = /as wide|one table a message/;

if (valid.length > 0) {
  describe('the JSON Schema and payloads found in the wild', () => {
    it.each(valid.map((payload) => [payload.file, payload] as const))(
      'accepts %s',
      (_, { blocks, surface }) => {
        const accept = accepts[surface];
        expect([accept(blocks), accept.errors]).toEqual([true, null]);
      },
    );

    const shaped = invalid.filter(({ rule = '' }) => !ofSeveral.test(rule));
    it.each(shaped.map((payload) => [payload.rule, payload] as const))(
      'refuses a breach of "%s"',
      (_, { blocks, surface }) => {
        expect(accepts[surface](blocks)).toBe(false);
      },
    );
  });
}
