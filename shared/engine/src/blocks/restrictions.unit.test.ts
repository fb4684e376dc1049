import { describe, expect, it } from '@jest/globals';
import { compile, directive } from '../testing/compile.ts';

const plain = (text: string) => ({ type: 'plain_text', text });
const other = { type: 'button', action_id: 'other', text: plain('Other') };
const actions = (element: object) => [{ type: 'actions', elements: [other, { action_id: 'a', ...element }] }];
const button = (visible_to_user_ids: unknown) => ({ type: 'button', text: plain('Go'), visible_to_user_ids });
const menu = (filter: object) => ({ type: 'conversations_select', filter });
const files = (filetypes: unknown) => [
  { type: 'input', label: plain('File'), element: { type: 'file_input', action_id: 'a', filetypes } },
];
const eachOf = (path: string) => directive('#each', { path, children: ['{{this}}'] });

describe('an element with a restriction that comes out empty', () => {
  const values: [string, Record<string, unknown>][] = [
    ['missing', {}],
    ['null', { a: null }],
    ['an empty list', { a: [] }],
  ];

  it.each(values)('is left out with a warning, where the people who see it are %s', (_, data) => {
    const lists = data.a === null || data.a === undefined ? [['{{a}}']] : [];
    for (const written of [...lists, '{{a}}', [eachOf('a')]]) {
      const { blocks, warnings } = compile(actions(button(written)), data);
      expect(blocks).toEqual([{ type: 'actions', elements: [other] }]);
      expect(warnings).toContain(
        '/0/elements/1: the button element is left out, because its `visible_to_user_ids` came out empty.',
      );
    }
  });

  it.each([
    [
      'an icon button',
      { icon: 'trash', type: 'icon_button', text: plain('x'), visible_to_user_ids: '{{a}}' },
    ],
  ])('is left out whatever its kind: %s', (_, element) => {
    const blocks = [{ type: 'context_actions', elements: [{ action_id: 'a', ...element }] }];
    expect(compile(blocks).blocks).toEqual([]);
  });

  it.each([
    ['the kinds of conversations', { include: ['{{a}}'], exclude_bot_users: true }],
    ['all that it is limited by', { include: ['{{a}}'] }],
    ['whether bots are among them', { include: ['im'], exclude_bot_users: '{{a}}' }],
    ['whether shared channels are', { include: ['public'], exclude_external_shared_channels: '{{a}}' }],
  ])('is left out where a menu would offer more conversations than its author wanted: %s', (_, filter) => {
    expect(compile(actions(menu(filter))).blocks).toEqual([{ type: 'actions', elements: [other] }]);
  });

  it('is left out where a file field would take files of any type', () => {
    expect(compile(files(['{{a}}']), {}, { surface: 'view' }).blocks).toEqual([]);
    expect(compile(files(['{{a}}', 'pdf']), {}, { surface: 'view' }).blocks).toEqual(files(['pdf']));
  });

  it('stays where something is left of the restriction', () => {
    const { blocks } = compile(actions(button(['{{a}}', 'U1'])));
    expect(blocks).toEqual(actions(button(['U1'])));
    expect(compile(actions(menu({ exclude_bot_users: '{{a}}' })), { a: false }).blocks).toEqual(
      actions(menu({ exclude_bot_users: false })),
    );
  });
});
