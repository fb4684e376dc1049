import { describe, expect, it } from '@jest/globals';
import { compile, directive, problemsOf, section, textsOf } from '../../testing/compile.ts';
import { operators } from './operators.ts';

const data = {
  yes: true,
  no: false,
  zero: 0,
  five: 5,
  text: 'hello world',
  digits: '10',
  empty: '',
  none: null,
  list: ['a', 'b'],
  hollow: [],
  object: { a: 1 },
  bare: {},
  early: '2026-01-01',
  late: '2026-06-01T00:00:00+02:00',
};

const branch = (condition: unknown) => [
  directive('#if', { condition, children: [section('yes')], else: [section('no')] }),
];
const holds = (condition: unknown): boolean => textsOf(compile(branch(condition), data).blocks)[0] === 'yes';

const cases: Record<string, { true: [string, unknown?][]; false: [string, unknown?][] }> = {
  truthy: {
    true: [['yes'], ['five'], ['list'], ['object']],
    false: [['no'], ['zero'], ['empty'], ['none'], ['hollow'], ['missing']],
  },
  falsy: { true: [['no'], ['hollow'], ['missing']], false: [['yes']] },
  exists: { true: [['no'], ['empty'], ['hollow']], false: [['none'], ['missing']] },
  not_exists: { true: [['none'], ['missing.deep']], false: [['no']] },
  empty: {
    true: [['empty'], ['hollow'], ['bare'], ['none'], ['missing']],
    false: [['zero'], ['list'], ['object']],
  },
  not_empty: { true: [['text']], false: [['bare']] },
  eq: {
    true: [
      ['five', 5],
      ['text', 'hello world'],
      ['none', null],
    ],
    false: [
      ['digits', 10],
      ['missing', null],
    ],
  },
  ne: {
    true: [
      ['five', 6],
      ['missing', 1],
    ],
    false: [['five', 5]],
  },
  gt: {
    true: [
      ['five', 4],
      ['digits', 9],
      ['late', '2026-01-01'],
      ['text', 'abc'],
    ],
    false: [
      ['five', 5],
      ['text', 5],
      ['missing', 0],
    ],
  },
  gte: { true: [['five', 5]], false: [['five', 6]] },
  lt: {
    true: [
      ['early', '2026-05-31T23:00:00Z'],
      ['digits', 11],
    ],
    false: [['five', 5]],
  },
  lte: {
    true: [
      ['five', 5],
      ['early', { path: 'late' }],
    ],
    false: [['late', { path: 'early' }]],
  },
  in: {
    true: [
      ['five', [1, 5]],
      ['text', ['hello world']],
    ],
    false: [
      ['five', [1]],
      ['five', { path: 'five' }],
      ['missing', ['x']],
    ],
  },
  not_in: {
    true: [
      ['five', [1]],
      ['missing', ['x']],
    ],
    false: [['five', [5]]],
  },
  contains: {
    true: [
      ['text', 'lo w'],
      ['list', 'a'],
    ],
    false: [
      ['text', 'x'],
      ['list', 'c'],
      ['five', 5],
    ],
  },
  not_contains: {
    true: [
      ['list', 'c'],
      ['missing', 'x'],
    ],
    false: [['list', 'a']],
  },
  starts_with: {
    true: [['text', 'hello']],
    false: [
      ['text', 'world'],
      ['five', '5'],
    ],
  },
  ends_with: { true: [['text', 'world']], false: [['text', 'hello']] },
};

describe('operators', () => {
  it('are all covered here', () => {
    expect(Object.keys(cases)).toEqual(Object.keys(operators));
  });

  for (const [operator, { true: held, false: failed }] of Object.entries(cases)) {
    it(`${operator} says yes and no`, () => {
      const condition = ([path, ...value]: [string, unknown?]) => ({
        path,
        operator,
        ...(value.length > 0 && { value: value[0] }),
      });
      expect(held.filter((one) => !holds(condition(one)))).toEqual([]);
      expect(failed.filter((one) => holds(condition(one)))).toEqual([]);
    });
  }
});

describe('conditions', () => {
  it('are truthy without an operator', () => {
    expect(holds({ path: 'yes' })).toBe(true);
  });

  it('combine', () => {
    expect(holds({ all: [{ path: 'yes' }, { not: { path: 'no' } }] })).toBe(true);
    expect(holds({ all: [{ path: 'yes' }, { path: 'no' }] })).toBe(false);
    expect(holds({ any: [{ path: 'no' }, { path: 'yes' }] })).toBe(true);
    expect(holds({ any: [] })).toBe(false);
    expect(holds({ all: [] })).toBe(true);
  });

  it('warn of nothing, whatever they look for', () => {
    expect(compile(branch({ path: 'not.there' }), {}).warnings).toEqual([]);
  });

  it.each([
    [{}, 'condition.syntax'],
    [{ path: 'a', operator: 'equals', value: 1 }, 'operator.unknown'],
    [{ path: 'a', operator: 'toString' }, 'operator.unknown'],
    [{ path: 'a', operator: 'eq' }, 'condition.syntax'],
    [{ path: 'a', operator: 'exists', value: 1 }, 'condition.syntax'],
    [{ path: 'a', operator: 'eq', value: { a: 1 } }, 'condition.syntax'],
    [{ path: 'a', operator: 'in', value: [{}] }, 'condition.syntax'],
    [{ path: 'a', operator: 'in', value: 'x' }, 'condition.syntax'],
    [{ path: 'a', operator: 'not_in', value: 5 }, 'condition.syntax'],
    [{ path: 'a', vaule: 1 }, 'key.unknown'],
    [{ path: '..a' }, 'path.syntax'],
    [{ all: {} }, 'value.type'],
    ['path', 'value.type'],
  ])('are refused when wrong: %j', (condition, rule) => {
    expect(problemsOf(branch(condition)).map((problem) => problem.rule)).toContain(rule);
  });

  it('nest eight levels deep and no deeper', () => {
    const nested = (levels: number): unknown =>
      levels === 1 ? { path: 'yes' } : { not: nested(levels - 1) };
    expect(() => compile(branch(nested(8)), data)).not.toThrow();
    expect(problemsOf(branch(nested(9)))).toMatchObject([{ limit: 'engine.depth', max: 8, actual: 9 }]);
  });

  it.each([['{{limit}}'], [['a', 'from {{limit}}']]])(
    'warn that a value has no placeholders: %j',
    (value) => {
      const operator = typeof value === 'string' ? 'eq' : 'in';
      const { warnings } = compile(branch({ path: 'text', operator, value }), data);
      expect(warnings).toEqual([expect.stringMatching(/^\/0\/condition\/value: .* \{"path": "…"\}/)]);
    },
  );
});
