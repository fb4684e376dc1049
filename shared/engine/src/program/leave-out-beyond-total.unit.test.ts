import { describe, expect, it } from '@jest/globals';
import { findTotalBreach } from '@stanza/sandbox/limits';
import { compile, directive, header, type Options, section, textsOf } from '../testing/compile.ts';

const lenient: Options = { leavesOut: true };
const long = (length: number) => 'x'.repeat(length);
const piece = (text: string) => ({ type: 'text', text });
const line = (...elements: unknown[]) => ({ type: 'rich_text_section', elements });
const each = (...children: unknown[]) => directive('#each', { path: 'events', as: 'e', children });
const eventsOf = (...texts: string[]) => ({ events: texts.map((text) => ({ text })) });
const digest = (blocks: readonly unknown[], data: Record<string, unknown>) => {
  const result = compile(blocks, data, lenient);
  expect(findTotalBreach(result.blocks)).toBeUndefined();
  return result;
};

describe('a digest whose blocks hold more text than the platform takes', () => {
  it('is made without the entries that do not fit, and names how many and the limit', () => {
    const texts = ['a', long(3_000), long(3_000), long(3_000), long(3_000), 'z'];
    const { blocks, leftOut, warnings } = digest(
      [header('h'), each(section('{{e.text}}'))],
      eventsOf(...texts),
    );
    expect(textsOf(blocks)).toEqual(['h', 'a', long(3_000), long(3_000), long(3_000), 'z']);
    const message =
      'block 6 of 7 is left out: all blocks together hold 12000 characters of text at most (limit `message.text_total`).';
    expect(leftOut).toEqual({ count: 1, entries: [{ pointer: '', rule: 'entry.left_out', message }] });
    expect(warnings).toEqual([message]);
  });

  it.each<[string, unknown, unknown]>([
    [
      'rich text',
      { type: 'rich_text', elements: [line(piece('who: ')), each(line(piece('- '), piece('{{e.text}}')))] },
      {
        type: 'rich_text',
        elements: [
          line(piece('who: ')),
          line(piece('- '), piece('a')),
          line(piece('- ')),
          line(piece('- '), piece('z')),
        ],
      },
    ],
    [
      'a list',
      {
        type: 'rich_text',
        elements: [{ type: 'rich_text_list', style: 'bullet', elements: [each(line(piece('{{e.text}}')))] }],
      },
      {
        type: 'rich_text',
        elements: [
          { type: 'rich_text_list', style: 'bullet', elements: [line(piece('a')), line(piece('z'))] },
        ],
      },
    ],
  ])('loses the odd entry of %s alone', (_, block, wanted) => {
    const odd = long(11_990);
    const { blocks, leftOut } = digest([section('0123456789'), block], eventsOf('a', odd, 'z'));
    expect(blocks[1]).toMatchObject(Object(wanted));
    expect(leftOut?.count).toBe(1);
    expect(leftOut?.entries[0]?.message).toMatch(/^an entry of block 2 of 2 is left out: /);
  });

  it('keeps the rows of a table that fit, and no table without rows', () => {
    const table = { type: 'table', source: 'events', columns: [{ header: 'Text', value: '{{this.text}}' }] };
    const texts = ['a', long(4_000), 'z'];
    const before = (length: number) => [2_900, 2_900, 2_900, length].map((each) => section(long(each)));
    const { blocks, leftOut } = digest([...before(1_000), table], eventsOf(...texts));
    expect(blocks[4]).toMatchObject({ rows: [[{ text: 'Text' }], [{ text: 'a' }], [{ text: 'z' }]] });
    expect(leftOut?.count).toBe(1);
    const full = [...before(3_000), section(long(297)), table];
    expect(digest(full, eventsOf(...texts)).blocks).toHaveLength(5);
  });

  it('keeps the interactions of what stays, and none of what is left out', () => {
    const act = [{ type: 'open_modal', modal_id: '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f' }];
    const accessory = {
      type: 'button',
      action_id: 'go',
      text: { type: 'plain_text', text: 'Go' },
      interaction: act,
    };
    const texts = [long(3_000), long(3_000), long(3_000), long(3_000), long(3_000), 'z'];
    const { metadata, blocks } = digest([each(section('{{e.text}}', { accessory }))], eventsOf(...texts));
    expect(blocks).toHaveLength(4);
    const { elements } = JSON.parse(String(metadata?.event_payload.context));
    expect(Object.keys(elements)).toEqual(['go_0', 'go_1', 'go_2', 'go_5']);
  });

  describe('with a note about the rest', () => {
    const noted = (more: object, ...children: unknown[]) =>
      directive('#each', { path: 'events', overflow_text: '+{{remaining}}', ...more, children });
    const many = (count: number, text = long(300)) => eventsOf(...Array.from({ length: count }, () => text));
    const item = section('{{this.text}}');
    const noteOf = (count: number) => ({ elements: [{ text: `+${count}` }] });

    it.each([100, 45])('counts every event that is not shown, of %s', (count) => {
      const { blocks, leftOut } = digest([noted({}, item)], many(count));
      expect(blocks).toHaveLength(40);
      expect(blocks.at(-1)).toMatchObject(noteOf(count - 39));
      expect(leftOut?.count).toBe(Math.min(count, 49) - 39);
    });

    it('counts an odd event that is too long, and shows the shorter ones behind it', () => {
      const texts = [long(2_900), long(2_900), long(2_900), long(2_900), long(2_900), 'z'];
      const { blocks } = digest([noted({}, item)], eventsOf(...texts));
      expect(textsOf(blocks).slice(3, 5)).toEqual([long(2_900), 'z']);
      expect(blocks.at(-1)).toMatchObject(noteOf(1));
    });

    it('counts an emoji as one character', () => {
      const { blocks, leftOut } = digest([noted({}, item)], many(40, '😀'.repeat(300)));
      expect(blocks).toHaveLength(40);
      expect(leftOut).toBeUndefined();
    });

    it('counts what its list has no room for, where only the data says how much that is', () => {
      const maybe = directive('#if', { condition: { path: 'this.text' }, children: [item] });
      const { blocks, leftOut } = digest([noted({}, maybe)], many(60, 'x'));
      expect(blocks.at(-1)).toMatchObject(noteOf(11));
      expect(leftOut?.count).toBe(11);
    });

    it('counts rows of a table, whose cells are shortened before any of them goes', () => {
      const columns = [{ header: 'Text', value: '{{this.text}}' }];
      const table = { type: 'table', source: 'events', columns, overflow_text: '+{{remaining}}' };
      const noteIn = (before: number) => {
        const blocks = [section(long(before)), section(long(before)), table];
        const { rows = [] } = Object(digest(blocks, many(90, long(150))).blocks[2]);
        return { rows: rows.length, last: rows.at(-1)?.[0]?.text };
      };
      expect(noteIn(10)).toMatchObject({ rows: 91, last: expect.stringContaining('xxx') });
      expect(noteIn(2_900)).toEqual({ rows: 43, last: '+49' });
    });

    it('leaves values alone that are shortened to fit together', () => {
      const markdown = { type: 'markdown', text: '{{this.text}}' };
      const { blocks, leftOut } = digest([noted({}, markdown)], many(45));
      expect(blocks).toHaveLength(45);
      expect(leftOut).toBeUndefined();
    });
  });

  it('is sent whole where it fits, and an ordinary message only gets a warning', () => {
    const fitting = eventsOf(long(3_000), long(3_000), long(3_000), long(3_000));
    expect(digest([each(section('{{e.text}}'))], fitting).leftOut).toBeUndefined();
    const beyond = eventsOf(long(3_000), long(3_000), long(3_000), long(3_000), 'z');
    const { blocks, warnings } = compile([each(section('{{e.text}}'))], beyond);
    expect(blocks).toHaveLength(5);
    expect(warnings).toEqual([expect.stringContaining('the platform may refuse the message')]);
  });

  it('counts an emoji as one character, as the platform does', () => {
    const faces = '😀'.repeat(3_000);
    const fitting = eventsOf(faces, faces, faces, faces);
    expect(digest([each(section('{{e.text}}'))], fitting).leftOut).toBeUndefined();
    const beyond = digest([each(section('{{e.text}}'))], eventsOf(faces, 'a', faces, faces, faces, 'z'));
    expect(textsOf(beyond.blocks)).toEqual([faces, 'a', faces, faces, 'z']);
  });

  it.each([
    ['of data', [each(section('{{e.text}}'))]],
    ['of the template', Array.from({ length: 4 }, () => section('😀'.repeat(3_000)))],
    [
      'of the template, between values',
      Array.from({ length: 4 }, () => section(`{{a}}${'😀'.repeat(3_000)}`)),
    ],
    [
      'of elements that are not known',
      Array.from({ length: 9 }, () => ({
        type: 'rich_text',
        elements: [line({ type: 'hologram', text: '😀'.repeat(1_000) })],
      })),
    ],
  ])('is not said to be too long for its emoji, %s', (_, blocks) => {
    const texts = eventsOf(...Array.from({ length: 4 }, () => '😀'.repeat(3_000)));
    const { warnings } = compile(blocks, { a: '', ...texts });
    expect(warnings.filter((it) => it.includes('characters of text'))).toEqual([]);
  });

  it('counts what is left of the texts that are cut', () => {
    const markdown = { type: 'markdown', text: '{{md}}' };
    const { warnings } = compile([markdown, markdown, section('x')], { md: '😀'.repeat(8_000) });
    expect(warnings.at(-1)).toBe(
      'the blocks hold 12001 characters of text; beyond about 12000 the platform may refuse the message.',
    );
  });

  it('may lose all of its blocks', () => {
    const blocks = [
      {
        type: 'container',
        title: { type: 'plain_text', text: 'x' },
        child_blocks: [
          each({ type: 'rich_text', elements: [line(piece('{{e.text}}'), piece('{{e.text}}'))] }),
        ],
      },
    ];
    const { blocks: made, leftOut } = digest(blocks, eventsOf(long(12_000)));
    expect(made).toEqual([]);
    expect(leftOut?.count).toBe(1);
  });
});
