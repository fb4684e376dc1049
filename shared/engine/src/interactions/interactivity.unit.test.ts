import { describe, expect, it } from '@jest/globals';
import { limits, messageEvent, parseTemplate, requestFormat, reservedKeyBytes } from '../index.ts';
import { compile, directive, problemsOf, section } from '../testing/compile.ts';

const openModal = (data: object) => [
  { type: 'open_modal', modal_id: '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f', data },
];
const button = (interaction: unknown, more: object = {}) => ({
  type: 'button',
  action_id: 'go',
  text: { type: 'plain_text', text: 'Go' },
  interaction,
  ...more,
});
const actions = (...elements: unknown[]) => ({ type: 'actions', elements });

const payloadOf = (blocks: readonly unknown[], data: Record<string, unknown> = {}) => {
  const { metadata } = compile(blocks, data);
  if (metadata === undefined) throw new Error('no metadata');
  const { actions: list, context } = metadata.event_payload;
  return { actions: JSON.parse(list), context: JSON.parse(context) };
};

describe('an interaction', () => {
  it('is stripped from its element and goes to the metadata', () => {
    const { blocks, metadata } = compile([actions(button(openModal({ order: '{{order.id}}' })))], {
      order: { id: 'A-1', secret: 's' },
    });
    expect(blocks).toEqual([
      actions({ type: 'button', action_id: 'go', text: { type: 'plain_text', text: 'Go' } }),
    ]);
    expect(metadata).toEqual({
      event_type: messageEvent,
      event_payload: {
        v: 1,
        actions: JSON.stringify({ go: openModal({ order: '{{order.id}}' }) }),
        context: JSON.stringify({ values: { 'order.id': 'A-1' } }),
      },
    });
  });

  it('leaves a message without metadata when there is none', () => {
    expect(compile([section('x')])).not.toHaveProperty('metadata');
  });

  it('of a loop stands once, with the values of each round', () => {
    const row = section('x', {
      accessory: button(openModal({ id: '{{item.id}}', of: '{{order}}', at: '{{@index}}' })),
    });
    const blocks = [directive('#each', { path: 'items', as: 'item', children: [row] })];
    expect(payloadOf(blocks, { order: 'A', items: [{ id: 1 }, { id: 2 }] })).toEqual({
      actions: { go: openModal({ id: '{{item.id}}', of: '{{order}}', at: '{{@index}}' }) },
      context: {
        values: { order: 'A' },
        elements: {
          go_0: { of: 'go', values: { 'item.id': 1, '@index': 0 } },
          go_1: { of: 'go', values: { 'item.id': 2, '@index': 1 } },
        },
      },
    });
  });

  it('keeps what the blocks of an updated message read, and nothing of their own loops', () => {
    const update = {
      type: 'update_message',
      strategy: 'replace_all',
      blocks: [
        section('Done by {{user}}'),
        directive('#each', {
          path: 'items',
          as: 'line',
          children: [section('{{line.name}} of {{../total}}')],
        }),
      ],
    };
    const { context } = payloadOf([actions(button([update]))], {
      user: 'Ada',
      total: 2,
      items: [{ name: 'x' }],
      other: 1,
    });
    expect(context).toEqual({ values: { user: 'Ada', items: [{ name: 'x' }], '../total': 2 } });
  });

  it('neither stores nor requires facts that are known only at the use', () => {
    const blocks = [actions(button(openModal({ by: '{{interaction.user.id}}', order: '{{order.id}}' })))];
    const data = { order: { id: 'A-1' }, interaction: { user: { id: 'x' } } };
    expect(payloadOf(blocks, data).context).toEqual({ values: { 'order.id': 'A-1' } });
    const parsed = parseTemplate(blocks, { surface: 'message' });
    expect(parsed.ok && Object.keys(requestFormat(parsed.program))).toEqual(['order.id']);
  });

  it('has its problems reported with their place', () => {
    const wrong = [
      { type: 'open_modle', modal_id: 'm' },
      { type: 'call_destination', payload: { a: '{{x | shout}}' } },
      { type: 'update_message', strategy: 'replace', blocks: [{ type: 'sektion' }] },
    ];
    expect(problemsOf([actions(button(wrong))]).map(({ pointer, rule }) => [pointer, rule])).toEqual([
      ['/0/elements/0/interaction/0/type', 'type.unknown'],
      ['/0/elements/0/interaction/1', 'required'],
      ['/0/elements/0/interaction/1/payload/a', 'filter.unknown'],
      ['/0/elements/0/interaction/2/strategy', 'value.choice'],
      ['/0/elements/0/interaction/2/blocks/0/type', 'type.unknown'],
    ]);
  });

  describe.each([
    ['open_modal', 'modal_id', 'modal'],
    ['call_destination', 'destination_id', 'destination'],
  ])('%s', (type, key, what) => {
    const named = (id: unknown) => [actions(button([{ type, [key]: id }]))];

    it.each(['01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f!', 'x{{'])('refuses %j, which cannot be an id', (id) => {
      expect(problemsOf(named(id))).toMatchObject([{ pointer: `/0/elements/0/interaction/0/${key}` }]);
    });

    it.each(['', 'refund', '01938c2e'])('warns of %j, which is no id, and says where the ids are', (id) => {
      expect(compile(named(id)).warnings).toEqual([
        expect.stringContaining(
          `not the id of a ${what}, a UUID, so the element does nothing; GET /v1/${what}s`,
        ),
      ]);
    });

    it.each(['01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f', '01938C2E-7B1A-7C3D-9E4F-5A6B7C8D9E0F', '{{form}}'])(
      'takes %j',
      (id) => {
        expect(compile(named(id), { form: 'refund' })).toMatchObject({ warnings: [] });
      },
    );

    it('takes a key in files that are the same for every environment', () => {
      const options = { surface: 'message', namesByKey: true } as const;
      expect(parseTemplate(named('refund'), options)).toMatchObject({ ok: true });
    });
  });

  it('needs an action_id to be found by', () => {
    const { action_id: _, ...nameless } = button(openModal({}));
    expect(problemsOf([actions(nameless)])).toMatchObject([{ rule: 'required', pointer: '/0/elements/0' }]);
  });

  it('is refused in a view', () => {
    const problems = problemsOf([actions(button(openModal({})))], {}, { surface: 'view' });
    expect(problems.map(({ rule }) => rule)).toContain('interaction.place');
  });

  it('is refused on elements without actions', () => {
    const image = { type: 'image', image_url: 'https://e.com', alt_text: 'x', interaction: openModal({}) };
    expect(problemsOf([section('x', { accessory: image })])).toMatchObject([{ rule: 'key.unknown' }]);
  });

  it('refuses two elements that could not be told apart', () => {
    const blocks = [
      section('a', { accessory: button(openModal({})) }),
      section('b', { accessory: button(openModal({})) }),
    ];
    expect(problemsOf(blocks)).toMatchObject([{ rule: 'id.conflict' }]);
  });

  it('is that of its own element where several wrote the same id', () => {
    const of = (name: string) => openModal({ name });
    const looped = (path: string) =>
      directive('#each', {
        path,
        children: [section('x', { accessory: button(of(path), { action_id: '{{this.id}}' }) })],
      });
    expect(payloadOf([looped('a'), looped('b')], { a: [{ id: 'a1' }], b: [{ id: 'b1' }] })).toEqual({
      actions: { '{{this.id}}': of('a'), '{{this.id}}#1': of('b') },
      context: { elements: { a1: { of: '{{this.id}}' }, b1: { of: '{{this.id}}#1' } } },
    });
    expect(payloadOf([actions(button(of('yes')), button(of('no')))])).toEqual({
      actions: { go: of('yes'), 'go#1': of('no') },
      context: { elements: { go_1: { of: 'go#1' } } },
    });
  });

  it('is found by an id that its data left empty, gave twice or could not name', () => {
    const row = section('x', { accessory: button(openModal({}), { action_id: '{{this.id}}' }) });
    const ids = [{ id: 'a' }, { id: 'a' }, {}, { id: '__proto__' }, {}];
    const compiled = compile([directive('#each', { path: 'rows', children: [row] })], { rows: ids });
    const found = compiled.blocks.map((block) => JSON.parse(JSON.stringify(block)).accessory.action_id);
    expect(found).toEqual(['a', 'a_1', 'act', '__proto___1', 'act_1']);
    const { elements } = JSON.parse(compiled.metadata?.event_payload.context ?? '');
    expect(Object.keys(elements)).toEqual(found);
    expect(compiled.warnings.join()).toMatch(/stands twice in the message; this one ends in `_1` now/);
  });

  it('has another id than an element without one', () => {
    const plain = { type: 'button', action_id: 'go', text: { type: 'plain_text', text: 'Go' } };
    const blocks = [actions(plain), section('a', { accessory: button(openModal({})) })];
    expect(payloadOf(blocks).context).toEqual({ elements: { go_1: { of: 'go' } } });
  });

  it('follows its element when that is given another id', () => {
    const blocks = [actions(button(openModal({ n: '{{n}}' })), { ...button(openModal({ n: '{{n}}' })) })];
    expect(payloadOf(blocks, { n: 1 }).context).toEqual({
      values: { n: 1 },
      elements: { go_1: { of: 'go' } },
    });
  });

  it('nests no deeper than directives', () => {
    const nest = (levels: number): unknown =>
      button(
        levels === 0
          ? openModal({})
          : [{ type: 'update_message', strategy: 'append', blocks: [actions(nest(levels - 1))] }],
      );
    expect(() => compile([actions(nest(3))])).not.toThrow();
    expect(problemsOf([actions(nest(9))])).toMatchObject([{ limit: 'engine.depth' }]);
  });
});

describe('metadata over its limit', () => {
  const { max } = limits['interactivity.metadata_bytes'];

  it('is refused with the bytes that there are', () => {
    const blocks = [actions(button(openModal({ text: '{{text}}' })))];
    expect(problemsOf(blocks, { text: 'x'.repeat(max) })).toMatchObject([
      {
        rule: 'limit.max',
        limit: 'interactivity.metadata_bytes',
        max,
        actual: expect.any(Number),
        pointer: '/0/elements/0/interaction',
      },
    ]);
  });

  it('counts bytes, not characters', () => {
    const blocks = [actions(button(openModal({ text: '{{text}}' })))];
    expect(problemsOf(blocks, { text: 'ß'.repeat(max / 2) })).toMatchObject([
      { limit: 'interactivity.metadata_bytes' },
    ]);
  });

  it('leaves room for the sender’s key within what the platform takes', () => {
    const blocks = [actions(button(openModal({ text: '{{text}}' })))];
    const key = 'k'.repeat(reservedKeyBytes);
    let largest = 0;
    for (let length = 3_000; length < max; length += 10) {
      const result = payloadSize(blocks, length, key);
      if (result !== undefined) largest = result;
    }
    expect(largest).toBeGreaterThan(3_900);
    expect(largest).toBeLessThanOrEqual(4_000);
  });
});

const payloadSize = (blocks: readonly unknown[], length: number, key: string): number | undefined => {
  try {
    const { metadata } = compile(blocks, { text: 'x'.repeat(length) });
    return JSON.stringify({ ...metadata, event_payload: { ...metadata?.event_payload, key } }).length;
  } catch {
    return undefined;
  }
};
