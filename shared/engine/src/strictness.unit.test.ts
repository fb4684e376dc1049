import { describe, expect, it } from '@jest/globals';
import { parseTemplate, runProgram } from './index.ts';

const now = new Date('2026-03-10T12:00:00Z');

const run = (
  blocks: unknown[],
  data: Record<string, unknown>,
  options: { locale?: string; fallbackText?: string; strict?: boolean } = {},
) => {
  const { fallbackText, ...more } = options;
  const parsed = parseTemplate(blocks, {
    surface: 'message',
    ...(fallbackText !== undefined && { fallbackText }),
  });
  if (!parsed.ok)
    return { ok: false as const, problems: parsed.problems, code: 'compilation_failed' as const };
  return runProgram(parsed.program, data, { now, ...more });
};

const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });
const limitsIn = (result: ReturnType<typeof run>) => (result.ok ? [] : result.problems.map((it) => it.limit));

describe('work that no budget may miss', () => {
  const each = (child: unknown) => [
    { type: 'directive', directive: '#each', path: 'list', children: [child] },
  ];
  const list = Array.from({ length: 5_000 }, () => 1);

  it('is the walk through a value that is nested too deep for json', () => {
    const deep = Array.from({ length: 40 }).reduce((inner: unknown) => [inner], 1);
    const result = run(each(section('{{d | json}}')), { list, d: [list.concat(list, list, list), deep] });
    expect(limitsIn(result)).toContain('engine.evaluations');
  });

  const buttonReading = (paths: number) => ({
    type: 'button',
    action_id: 'go',
    text: { type: 'plain_text', text: 'Go' },
    interaction: [
      {
        type: 'open_modal',
        modal_id: '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f',
        data: Array.from({ length: paths }, (_, index) => `{{v${index}}}`),
      },
    ],
  });

  it('is what an interaction reads for every element', () => {
    const result = run(each({ type: 'actions', elements: [buttonReading(100)] }), { list });
    expect(limitsIn(result)).toContain('engine.evaluations');
  });

  it('is an interaction that reads more paths than any metadata holds', () => {
    const result = run([{ type: 'actions', elements: [buttonReading(101)] }], {});
    expect(result).toMatchObject({
      ok: false,
      problems: [
        { pointer: '/0/elements/0/interaction', limit: 'interactivity.paths', max: 100, actual: 101 },
      ],
    });
  });
});

describe('a template that would take long to parse', () => {
  it('is refused where it holds too many placeholders, all texts together', () => {
    const half = section('{{a}}'.repeat(2_500));
    expect(run([half, half], {})).toMatchObject({ ok: true });
    const refused = run([half, half, section('{{a}}{{b}}'), half], {});
    expect(refused).toMatchObject({
      ok: false,
      problems: [{ pointer: '/2/text/text', rule: 'budget', limit: 'engine.placeholders', max: 5_000 }],
    });
    expect(refused.ok || refused.problems).toHaveLength(1);
  });

  it('is looked at no further than the filters that fit in a placeholder', () => {
    const chain = (length: number) => [section(`{{a${'|nothing:1,2'.repeat(length)}}}`)];
    const problems = (length: number) => {
      const result = run(chain(length), {});
      return result.ok ? [] : result.problems;
    };
    expect(problems(40_000)).toHaveLength(17);
    expect(problems(40_000)).toEqual(problems(17));
  });
});

describe('what the platform would refuse', () => {
  it('is an id that became too long when it was made unique', () => {
    const block = { type: 'divider', id: '{{x}}' };
    expect(limitsIn(run([block, block], { x: 'i'.repeat(255) }))).toEqual(['block.block_id']);
    expect(run([block, block], { x: 'i'.repeat(253) })).toMatchObject({ ok: true });
  });

  const select = (more: object) => [
    {
      type: 'actions',
      elements: [
        {
          type: 'static_select',
          action_id: 'a',
          options: [{ text: { type: 'plain_text', text: 'A' }, value: 'v' }],
          ...more,
        },
      ],
    },
  ];
  const option = (text: string) => ({ initial_option: { value: 'v', text: { text, type: 'plain_text' } } });

  it('is an initial option with the value of an option and another text; the order of keys means nothing', () => {
    expect(JSON.stringify(run(select(option('A')), {}))).toContain('initial_option');
    expect(JSON.stringify(run(select(option('B')), {}))).not.toContain('"initial_option":{');
  });

  it('is an unknown skin tone, and a choice of at most no item', () => {
    const emoji = (skin_tone: number) => [
      {
        type: 'rich_text',
        elements: [{ type: 'rich_text_section', elements: [{ type: 'emoji', name: 'wave', skin_tone }] }],
      },
    ];
    expect([0, 7].map((tone) => run(emoji(tone), {}).ok)).toEqual([false, false]);
    expect(run(emoji(3), {}).ok).toBe(true);
    const several = select({ type: 'multi_static_select', max_selected_items: 0 });
    expect(run(several, {}).ok).toBe(false);
  });
});

describe('an address of which a part is missing', () => {
  const image = [{ type: 'image', alt_text: 'A', image_url: '{{base}}/a.png' }, section('x')];

  it('leaves out its image and warns, like one that is missing as a whole', () => {
    const result = run(image, {});
    expect(result).toMatchObject({
      ok: true,
      blocks: [{ type: 'section' }],
      warnings: [expect.stringContaining('`base` is missing'), expect.stringContaining('/0')],
    });
    expect(run(image, { base: 'ftp:/' })).toMatchObject({ problems: [{ rule: 'value.form' }] });
  });

  it('is told once in a strict run', () => {
    expect(run(image, {}, { strict: true })).toMatchObject({
      code: 'invalid_data',
      problems: [{ rule: 'value.missing', pointer: '/0/image_url' }],
    });
  });

  it('stands where it is an address all the same', () => {
    const address = 'https://e.com/a.png?size={{size}}';
    expect(run([{ type: 'image', alt_text: 'A', image_url: address }], {})).toMatchObject({
      blocks: [{ image_url: 'https://e.com/a.png?size=' }],
    });
  });
});

describe('what is said of a message', () => {
  it('counts the text of its blocks without the fallback text', () => {
    const blocks = Array.from({ length: 4 }, () => section('x'.repeat(2_900)));
    const result = run(blocks, {}, { fallbackText: 'y'.repeat(3_000) });
    expect(result).toMatchObject({ ok: true, warnings: [] });
  });

  it('is dated by one calendar, whatever the locale', () => {
    const result = run([section('{{d | date:"D MMMM YYYY"}}')], { d: '2026-03-10' }, { locale: 'fa-IR' });
    expect(JSON.stringify(result)).toContain('10 مارس 2026');
  });
});
