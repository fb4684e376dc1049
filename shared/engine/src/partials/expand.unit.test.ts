import { describe, expect, it } from '@jest/globals';
import {
  expandPartials,
  type FindPartial,
  partialsIn,
  placeIn,
  problemsOfPartial,
  usesPartials,
  withoutVersions,
} from '../index.ts';
import type { Block } from '../program/fill-ids.ts';
import { parseTemplate } from '../program/parse-template.ts';
import { compile, section, textsOf } from '../testing/compile.ts';

const use = (partial: string, more: object = {}): Block => ({
  type: 'directive',
  directive: '#use',
  partial,
  ...more,
});

const footer: Block[] = [section('by {{author}} {{team | default:"–"}}', { id: 'blk_f' })];

/** The versions of partials, by key: the last one is live. */
const finding =
  (versions: Record<string, readonly Block[][]>): FindPartial =>
  (key, version) => {
    const all = versions[key];
    const number = version ?? all?.length ?? 0;
    const blocks = all?.[number - 1];
    return blocks ? { version: number, blocks } : { rule: 'partial.unknown', message: `There is no ${key}.` };
  };

const expanded = (blocks: readonly Block[], find: FindPartial, self?: string): Block[] => {
  const { blocks: made, problems } = expandPartials(blocks, find, self);
  expect(problems).toEqual([]);
  return made;
};

const found = finding({ footer: [[section('old {{author}}')], footer] });
const given = { author: 'user.name' };

describe('the expansion of partials', () => {
  it('puts the blocks of the live version in place of an entry, with the names that it gives', () => {
    const blocks = expanded([section('x'), use('footer', { id: 'f', with: given })], found);
    expect(blocks[1]).toEqual({
      type: 'directive',
      directive: '#with',
      id: 'f',
      with: given,
      partial: { key: 'footer', version: 2 },
      children: footer,
    });
    expect(textsOf(compile(blocks, { user: { name: 'Ada' }, team: 'not given' }).blocks)).toEqual([
      'x',
      'by Ada –',
    ]);
  });

  it('takes the version that is named', () => {
    const blocks = expanded([use('footer', { version: 1, with: given })], found);
    expect(textsOf(compile(blocks, { user: { name: 'Ada' } }).blocks)).toEqual(['old Ada']);
  });

  it('finds entries in every list of blocks, and none in the free JSON of an interaction', () => {
    const entry = use('footer', { with: given });
    const nested = [
      { type: 'directive', directive: '#if', condition: { path: 'a' }, children: [entry], else: [entry] },
      { type: 'container', child_blocks: [entry] },
      {
        type: 'actions',
        elements: [
          { type: 'button', interaction: [{ type: 'update_message', blocks: [entry] }] },
          {
            type: 'button',
            interaction: [{ type: 'open_modal', data: { children: [entry], blocks: [entry] } }],
          },
        ],
      },
    ];
    const text = JSON.stringify(expanded(nested, found));
    expect(text.match(/#with/g)).toHaveLength(4);
    expect(text.match(/#use/g)).toHaveLength(2);
  });

  it('changes nothing in blocks that are expanded already', () => {
    const blocks = expanded([use('footer', { version: 1, with: given })], found);
    expect(expanded(blocks, found)).toEqual(blocks);
  });

  it('refuses changed blocks under the mark of a partial', () => {
    const [block] = expanded([use('footer', { with: given })], found);
    const { problems } = expandPartials(
      [{ type: 'directive', ...block, children: [section('mine')] }],
      found,
    );
    expect(problems).toMatchObject([{ rule: 'partial.changed', pointer: '/0/children' }]);
  });

  it.each([
    [use('header', { with: {} }), 'partial.unknown', '/0/partial'],
    [use('footer', { with: { author: 'a', autor: 'b' } }), 'with.not_read', '/0/with/autor'],
    [use('footer'), 'with.not_given', '/0'],
    [use('footer', { with: [] }), 'value.type', '/0/with'],
    [use('footer', { with: given, version: 0 }), 'value.type', '/0/version'],
    [use('footer', { wiht: given, with: given }), 'key.unknown', '/0/wiht'],
    [{ type: 'directive', directive: '#use' }, 'required', '/0'],
  ])('refuses %j as %s', (entry, rule, pointer) => {
    expect(expandPartials([entry], found).problems[0]).toMatchObject({ rule, pointer });
  });

  it('reports what is wrong with all entries, and leaves them as they are', () => {
    const blocks = [use('header'), use('footer')];
    const { problems, blocks: left } = expandPartials(blocks, found);
    expect(problems.map(({ pointer }) => pointer)).toEqual(['/0/partial', '/1']);
    expect(left).toEqual(blocks);
  });

  it('refuses a partial that would be a part of itself, directly or through another', () => {
    const line = expanded([use('footer', { with: { author: 'author' } })], found);
    const both = finding({ footer: [footer], line: [line] });
    expect(expandPartials([use('footer', { with: given })], both, 'footer').problems).toMatchObject([
      { rule: 'partial.self' },
    ]);
    expect(expandPartials([use('line', { with: given })], both, 'footer').problems).toMatchObject([
      { rule: 'partial.self' },
    ]);
  });

  it('lets partials stand inside one another three deep and no deeper, the one that is saved included', () => {
    const versions: Record<string, Block[][]> = { a: [[section('{{x}}')]] };
    const names = { with: { x: 'x' } };
    versions.b = [expanded([use('a', names)], finding(versions), 'b')];
    versions.c = [expanded([use('b', names)], finding(versions), 'c')];
    const blocks = expanded([use('c', names)], finding(versions));
    expect(textsOf(compile(blocks, { x: 'deep' }).blocks)).toEqual(['deep']);
    expect(expandPartials([use('c', names)], finding(versions), 'd').problems).toMatchObject([
      { rule: 'partial.depth', limit: 'partial.depth', max: 3, actual: 4 },
    ]);
  });

  it('stops at the bytes that partials may bring', () => {
    const long = finding({ long: [[section('x'.repeat(300_000))]] });
    expect(expandPartials([use('long'), use('long'), use('long')], long).problems).toMatchObject([
      { rule: 'limit.max', limit: 'partial.bytes', pointer: '/1/partial' },
    ]);
  });

  it.each([
    ['too many bytes', use('0'), [[section('x'.repeat(300_000))]], 2],
    ['too many problems', { ...use('0'), id: 'blk_0' }, [[section('{{a}}')]], 100],
  ])('ends its work with %s, however many entries there are', (_, entry, versions, most) => {
    const asked = new Set<string>();
    const find: FindPartial = (key) => {
      asked.add(key);
      return { version: 1, blocks: versions[0] ?? [] };
    };
    const entries = Array.from({ length: 1_000 }, (__, index) => ({ ...entry, partial: `${index}` }));
    const { problems } = expandPartials(entries, find);
    expect([asked.size, problems.length <= most]).toEqual([most, true]);
  });

  it('names some of the names that nothing reads, not all', () => {
    const names = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`n${index}`, 'a']));
    expect(expandPartials([use('footer', { with: { ...given, ...names } })], found).problems).toHaveLength(
      20,
    );
  });

  const many = [
    [
      'marks',
      (content: Block[]) => [
        {
          ...use('big'),
          directive: '#with',
          partial: { key: 'big', version: 1 },
          with: {},
          children: content,
        },
      ],
    ],
    ['uses', () => [use('big')]],
  ] as const;
  it.each(many)('looks into a partial once, however often it stands there: %s', (_, entryOf) => {
    let looks = 0;
    const text = {
      type: 'mrkdwn',
      get text() {
        looks += 1;
        return 'x';
      },
    };
    const big: Block[] = [{ type: 'section', text }];
    const find = finding({ big: [big] });
    expandPartials(entryOf([section('x')]), find);
    const once = looks;
    looks = 0;
    expandPartials(Array.from({ length: 50 }, () => entryOf([section('x')])).flat(), find);
    expect(looks).toBe(once);
  });
});

describe('what blocks say of partials', () => {
  const blocks = [use('footer', { with: given }), use('footer', { with: given, version: 1 }), section('x')];

  it('is which of them they name', () => {
    expect(partialsIn(blocks)).toEqual([
      { key: 'footer', version: undefined },
      { key: 'footer', version: 1 },
    ]);
    expect(usesPartials(blocks)).toBe(true);
    const made = expanded(blocks, found);
    expect(partialsIn(made)).toEqual([
      { key: 'footer', version: 2 },
      { key: 'footer', version: 1 },
    ]);
    expect(usesPartials(made)).toBe(false);
  });

  it('can be written as an author does, of all partials or of one', () => {
    const made = expanded(blocks, found);
    expect(withoutVersions(made)).toEqual([blocks[0], blocks[0], blocks[2]]);
    expect(withoutVersions(made, 'header')).toEqual(made);
  });

  it('is where a problem lies: the entry of the template, and the place in the innermost partial', () => {
    const line = expanded([section('-'), use('footer', { with: { author: 'author' } })], found);
    const both = finding({ footer: [footer], line: [line] });
    const parsed = parseTemplate(expanded([use('line', { with: given })], both), { surface: 'message' });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
    const { partials } = parsed.program;
    expect(placeIn(partials, '/0/children/1/children/0/text/text')).toEqual({
      pointer: '/0',
      partial: { key: 'footer', version: 2, pointer: '/0/text/text' },
    });
    expect(placeIn(partials, '/0/children/0/text')).toMatchObject({
      pointer: '/0',
      partial: { key: 'line' },
    });
    expect(placeIn(partials, '/0/with/author')).toEqual({ pointer: '/0/with/author' });
  });
});

describe('a partial', () => {
  it('reads names and never its data as a whole', () => {
    expect(problemsOfPartial([section('{{a}} {{this.b}}')])).toEqual([]);
    const loop = { type: 'directive', directive: '#each', path: 'this', children: [] };
    expect(problemsOfPartial([section('{{this}}'), loop])).toMatchObject([
      { rule: 'partial.data', pointer: '/0/text/text' },
      { rule: 'partial.data', pointer: '/1/path' },
    ]);
  });
});
