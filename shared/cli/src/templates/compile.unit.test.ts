import { describe, expect, it } from '@jest/globals';
import { messages } from '@stanza/gallery/exhibits';
import { compileTemplate } from './compile.ts';
import { aboutOf, blocksIn, namesIn, renamed, type TemplateContent } from './content.ts';

const now = new Date('2026-11-21T08:30:00.000Z');
const none = {
  name: 'It',
  description: null,
  type: 'message',
  user_name: null,
  icon_emoji: null,
  fallback_text: null,
  locale: null,
  timezone: null,
  strict: false,
};

const contentOf = ({ source, data }: (typeof messages)[number]): TemplateContent => {
  const { blocks, ...about } = source;
  return { about, version: { blocks: blocksIn(blocks) ?? [], data: { ...data } } };
};

describe('a template compiled without a server', () => {
  it.each(messages.map((it) => [it.slug, it] as const))(
    'comes out as the gallery expects for %s',
    (_, exhibit) => {
      const compiled = compileTemplate(contentOf(exhibit), now);
      expect(compiled).toMatchObject({ ok: true, output: exhibit.expected });
    },
  );

  it('lists every problem with the pointer of the API', () => {
    const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: '{{a | uper}}' } }, { type: 'sektion' }];
    const broken = compileTemplate(
      { about: { name: 'Broken', fallback_text: '{{' }, version: { blocks, data: {} } },
      now,
    );
    if (broken.ok) throw new Error('it compiles');
    expect(broken.problems.map(({ pointer, rule }) => [pointer, rule])).toEqual([
      ['/blocks/0/text/text', 'filter.unknown'],
      ['/blocks/1/type', 'type.unknown'],
      ['/fallback_text', 'placeholder.syntax'],
    ]);
  });

  it('is checked as 200 templates too', () => {
    const all = Array.from({ length: 200 }, (_, index) => messages[index % messages.length]);
    const compiled = all.flatMap((it) => (it ? [compileTemplate(contentOf(it), now)] : []));
    expect(compiled.filter(({ ok }) => ok)).toHaveLength(200);
  });

  it('has no ids that a server would make', () => {
    const blocks = [
      {
        type: 'section',
        text: { type: 'mrkdwn', text: 'x' },
        id: 'blk_01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f',
      },
      {
        type: 'actions',
        elements: [{ type: 'button', text: { type: 'plain_text', text: 'Go' }, action_id: 'go' }],
      },
    ];
    const version = { blocks: blocksIn(blocks) ?? [], data: {} };
    expect(compileTemplate({ about: { name: 'Ids' }, version }, now)).toMatchObject({
      ok: true,
      output: {
        blocks: [
          { type: 'section', text: { type: 'mrkdwn', text: 'x' } },
          {
            type: 'actions',
            elements: [{ type: 'button', text: { type: 'plain_text', text: 'Go' }, action_id: 'go' }],
          },
        ],
      },
    });
    expect(JSON.stringify(compileTemplate({ about: { name: 'Ids' }, version }, now))).not.toMatch(
      /blk_|act_/,
    );
  });
});

describe('the content of a template', () => {
  it('omits settings without a value', () => {
    expect(aboutOf(none)).toEqual({ name: 'It' });
    expect(aboutOf({ ...none, strict: true, type: 'alert', description: 'Says it.' })).toEqual({
      name: 'It',
      description: 'Says it.',
      type: 'alert',
      strict: true,
    });
  });

  it('names modals and destinations of actions, and of actions in the blocks of actions', () => {
    const button = (interaction: unknown) => ({
      type: 'actions',
      elements: [{ type: 'button', action_id: 'a', text: { type: 'plain_text', text: 'x' }, interaction }],
    });
    const inner = button([
      { type: 'call_destination', destination_id: 'hook', payload: { modal_id: 'not one' } },
    ]);
    const blocks = [
      button([
        { type: 'open_modal', modal_id: 'refund', data: { type: 'open_modal', modal_id: 'data' } },
        { type: 'update_message', strategy: 'replace_all', blocks: [inner] },
      ]),
      { type: 'section', text: { type: 'mrkdwn', text: 'open_modal' } },
    ];
    expect(namesIn(blocks)).toEqual([
      { kind: 'modal', name: 'refund' },
      { kind: 'destination', name: 'hook' },
    ]);
    expect(JSON.stringify(renamed(blocks, (kind, name) => `${kind}:${name}`))).toBe(
      JSON.stringify(blocks).replace('"refund"', '"modal:refund"').replace('"hook"', '"destination:hook"'),
    );
  });
});
