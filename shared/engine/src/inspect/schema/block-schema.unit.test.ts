import { describe, expect, it } from '@jest/globals';
import { blockSchema, limits } from '../../index.ts';

const schema = blockSchema();
const namesOf = (value: object): string[] => Object.keys(value);

describe('the block schema', () => {
  it('lists every block type, element, directive, operator and filter', () => {
    expect(namesOf(schema.block_types).sort()).toEqual(
      [
        ...['actions', 'alert', 'card', 'carousel', 'chart', 'container', 'context', 'context_actions'],
        ...['data_table', 'data_visualization', 'divider', 'header', 'image', 'input', 'markdown', 'plan'],
        ...['rich_text', 'section', 'table', 'task_card', 'video'],
      ].sort(),
    );
    expect(namesOf(schema.elements).sort()).toEqual(
      [
        ...['button', 'channels_select', 'checkboxes', 'conversations_select', 'datepicker'],
        ...['datetimepicker', 'email_text_input', 'external_select', 'feedback_buttons', 'file_input'],
        ...['icon_button', 'image', 'multi_channels_select', 'multi_conversations_select'],
        ...['multi_external_select', 'multi_static_select', 'multi_users_select', 'number_input', 'overflow'],
        ...['plain_text_input', 'radio_buttons', 'rich_text_input', 'static_select', 'timepicker'],
        ...['url_text_input', 'users_select', 'workflow_button'],
      ].sort(),
    );
    expect(namesOf(schema.directives)).toEqual(['#each', '#if', '#block', '#with', '#use', '#translations']);
    expect(namesOf(schema.operators)).toHaveLength(18);
    expect(namesOf(schema.filters)).toHaveLength(25);
  });

  it('prints each key with what it takes, also inside text objects, and the form with a source', () => {
    const { header, section, table } = schema.block_types;
    expect(header).toMatchObject({
      surfaces: ['message', 'view'],
      fields: {
        id: { kind: 'id', limit: 'block.block_id', required: false },
        block_id: { kind: 'id' },
        text: {
          kind: 'variants',
          required: true,
          variants: {
            plain_text: { fields: { text: { kind: 'text', limit: 'header.text', required: true } } },
          },
        },
      },
    });
    expect(section).toMatchObject({
      fields: { accessory: { kind: 'one_of', table: 'elements' } },
      rules: expect.arrayContaining([{ at_least_one_of: ['text', 'fields'] }]),
    });
    expect(table).toMatchObject({
      surfaces: ['message'],
      data_bound: { fields: { source: { required: true }, columns: { limit: 'table.cells' } } },
    });
    expect(schema.elements.button).toMatchObject({
      fields: { text: { required: true }, action_id: { limit: 'element.action_id' }, interaction: {} },
    });
    expect(schema.rich_text.rich_text_list).toMatchObject({
      fields: { indent: { limit: 'rich_text.indent' } },
    });
    expect(schema.filters.truncate).toMatchObject({
      arguments: [{ needs: 'a whole number from 1 to 12000', optional: false }],
      example: expect.stringContaining('truncate:'),
    });
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

  it('says of every place of a value how it is written there and what its limit does', () => {
    expect(schema.positions).toMatchObject({
      'mrkdwn.text': {
        where: expect.any(String),
        escaped: expect.any(String),
        over_limit: expect.any(String),
      },
      'markdown.code_block': { escaped: expect.stringContaining('fence') },
      exact: { over_limit: expect.stringContaining('never shortened') },
    });
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
