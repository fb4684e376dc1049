import { describe, expect, it } from '@jest/globals';
import { limits } from '../limits.ts';
import { now, resolvePointer, section } from '../testing/compile.ts';
import { nativeView } from '../testing/native-messages.ts';
import { parseView, type ViewSource } from './parse-view.ts';
import { runView } from './run-view.ts';

const attempt = (view: ViewSource, data: Record<string, unknown> = {}) => {
  const parsed = parseView(view);
  return parsed.ok ? runView(parsed.program, data, { now }) : parsed;
};

const viewOf = (view: ViewSource, data: Record<string, unknown> = {}) => {
  const result = attempt(view, data);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result;
};

const problemsOf = (view: ViewSource, data: Record<string, unknown> = {}) => {
  const result = attempt(view, data);
  if (result.ok) throw new Error('compiled');
  return result.problems;
};

const input = (element: object = {}) => ({
  type: 'input',
  label: { type: 'plain_text', text: 'Why?' },
  element: { type: 'plain_text_input', action_id: 'why', ...element },
});
const plain = (text: string) => ({ type: 'plain_text', text });

describe('a view', () => {
  it('compiles to what the platform opens', () => {
    const source = {
      title: 'Refund {{order.id}}',
      submit_label: 'Pay {{order.total | currency:"USD"}}',
      close_label: 'Back',
      blocks: [section('Hello {{name}}'), input()],
    };
    expect(viewOf(source, { order: { id: 'A-1', total: 5 }, name: '<Ada>' })).toEqual({
      ok: true,
      view: {
        type: 'modal',
        title: plain('Refund A-1'),
        submit: plain('Pay $5.00'),
        close: plain('Back'),
        blocks: [section('Hello &lt;Ada&gt;'), input()],
      },
      warnings: [],
      fieldsTruncated: 0,
    });
  });

  it('leaves native blocks as they are, every type and element of a view', () => {
    const { view, warnings } = viewOf({ title: 'T', submit_label: 'S', blocks: nativeView });
    expect(view).toEqual({ type: 'modal', title: plain('T'), submit: plain('S'), blocks: nativeView });
    expect(warnings).toEqual([]);
  });

  it('cuts its title and labels at 24 characters, and says so', () => {
    const long = 'x'.repeat(30);
    const { view, warnings, fieldsTruncated } = viewOf(
      { title: '{{a}}', submit_label: '{{a}}', close_label: '{{a}}', blocks: [section('x')] },
      { a: long },
    );
    const cut = plain(`${'x'.repeat(23)}…`);
    expect(view).toMatchObject({ title: cut, submit: cut, close: cut });
    expect(fieldsTruncated).toBe(3);
    expect(warnings).toEqual(
      ['/title', '/submit_label', '/close_label'].map((it) => expect.stringContaining(it)),
    );
  });

  it('has a title and its labels though their values are missing, and warns', () => {
    const source = { title: '{{a}}', submit_label: '{{a}}', close_label: '{{a}}', blocks: [section('x')] };
    const { view, warnings } = viewOf(source);
    expect(view).toMatchObject({ title: plain('…'), submit: plain('Submit'), close: plain('Cancel') });
    expect(warnings).toContain('/title: the text came out empty, so it is "…".');
  });

  it('tells every problem with a pointer into itself', () => {
    const source = {
      title: '{{a',
      submit_label: '{{b | nothing}}',
      blocks: [{ type: 'markdown', text: 'x' }, { type: 'headr' }, section('{{c..d}}')],
    };
    const problems = problemsOf(source);
    expect(problems.map(({ pointer }) => pointer)).toEqual([
      '/title',
      '/submit_label',
      '/blocks/0/type',
      '/blocks/1/type',
      '/blocks/2/text/text',
    ]);
    for (const { pointer } of problems) expect(resolvePointer(source, pointer)).toBeDefined();
  });

  const inside = (block: unknown) => ({
    type: 'directive',
    directive: '#if',
    condition: { path: 'a' },
    children: [],
    else: [{ type: 'directive', directive: '#block', children: [block] }],
  });

  it.each([
    ['beside others', input()],
    ['inside directives', inside(input())],
  ])('needs a submit label where it asks for input %s', (_, block) => {
    const blocks = [section('x'), block];
    expect(problemsOf({ title: 'T', blocks })).toMatchObject([{ rule: 'required' }]);
    expect(problemsOf({ title: 'T', submit_label: null, blocks })).toMatchObject([{ rule: 'required' }]);
    expect(attempt({ title: 'T', submit_label: 'Go', blocks })).toMatchObject({ ok: true });
  });

  it('holds 100 blocks, a loop’s included', () => {
    const blocks = [{ type: 'directive', directive: '#each', path: 'rows', children: [section('{{this}}')] }];
    const rows = (count: number) => ({ rows: Array.from({ length: count }, () => 'x') });
    expect(viewOf({ title: 'T', blocks }, rows(100)).view.blocks).toHaveLength(100);
    expect(problemsOf({ title: 'T', blocks }, rows(101))).toMatchObject([
      { pointer: '/blocks', limit: 'view.blocks', max: 100, actual: 101 },
    ]);
  });

  it('A view over its blocks is told of a further step, and of no second message', () => {
    const blocks = Array.from({ length: 101 }, () => ({ type: 'divider' }));
    const [problem] = problemsOf({ title: 'T', blocks });
    expect(problem?.message).toContain('a further step of the modal');
    expect(problem?.message).not.toContain('message');
  });

  it('may focus one field', () => {
    const blocks = [input({ focus_on_load: true }), input({ focus_on_load: true })];
    expect(problemsOf({ title: 'T', submit_label: 'S', blocks })).toMatchObject([
      { pointer: '/blocks', limit: 'view.focus_on_load', actual: 2 },
    ]);
  });

  it('may have 250 KB', () => {
    const blocks = [
      {
        type: 'directive',
        directive: '#each',
        path: 'rows',
        children: [section('{{this}}')],
      },
    ];
    const rows = Array.from({ length: 95 }, () => '\u4e00'.repeat(3_000));
    expect(problemsOf({ title: 'T', blocks }, { rows })).toMatchObject([
      { limit: 'view.bytes', max: limits['view.bytes'].max },
    ]);
  });

  it('has ids of its own for repeated inputs', () => {
    const repeated = { ...input(), id: 'answer' };
    const blocks = [{ type: 'directive', directive: '#each', path: 'rows', children: [repeated] }];
    const { view } = viewOf({ title: 'T', submit_label: 'S', blocks }, { rows: [1, 2] });
    expect(view.blocks).toMatchObject([
      { block_id: 'answer_0', element: { action_id: 'why_0' } },
      { block_id: 'answer_1', element: { action_id: 'why_1' } },
    ]);
  });

  it('warns of fields that share an id, and not of buttons', () => {
    const go = { type: 'actions', elements: [{ type: 'button', action_id: 'go', text: plain('Go') }] };
    const warningsOf = (...blocks: unknown[]) =>
      viewOf({ title: 'T', submit_label: 'S', blocks }, { id: 'why' }).warnings;
    const shared = [expect.stringMatching(/^\/blocks: fields share an `action_id`/)];
    expect(warningsOf(input(), input())).toEqual(shared);
    expect(warningsOf(input(), input({ action_id: '{{id}}' }))).toEqual(shared);
    expect(warningsOf(input(), go, go)).toEqual([]);
  });

  it('A view warns where nothing is left of it', () => {
    const { view, warnings } = viewOf({ title: 'T', blocks: [section('{{a}}')] }, { a: '' });
    expect(view.blocks).toEqual([]);
    expect(warnings).toContain('/blocks: every block is empty, and the platform opens no view without one.');
  });

  it('refuses an interaction', () => {
    const acting = {
      type: 'actions',
      elements: [
        {
          type: 'button',
          action_id: 'a',
          text: plain('Go'),
          interaction: [{ type: 'open_modal', modal_id: '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f' }],
        },
      ],
    };
    expect(problemsOf({ title: 'T', blocks: [acting] }).map(({ rule }) => rule)).toContain(
      'interaction.place',
    );
  });
});
