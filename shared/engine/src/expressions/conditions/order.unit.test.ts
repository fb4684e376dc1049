import { describe, expect, it } from '@jest/globals';
import { cases } from '@stanza/test-kit/cases';
import fc from 'fast-check';
import { compile, directive, section, textsOf } from '../../testing/compile.ts';
import { compare, compareWith } from './order.ts';

/** Nanoseconds since 1970, counted day by day and without any of the engine's parts. */
const nanosecondsOf = (year: number, month: number, day: number, rest: bigint): bigint => {
  // Days of the civil calendar: March is the first month, so that the leap day is the last day of a year.
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return BigInt(era * 146_097 + dayOfEra - 719_468) * 86_400_000_000_000n + rest;
};

/** A value in one of the accepted forms, with what it means. */
interface Given {
  readonly value: unknown;
  readonly means: bigint;
  readonly isNumber: boolean;
}

const two = (number: number): string => String(number).padStart(2, '0');

const isoText: fc.Arbitrary<Given> = fc
  .record({
    year: fc.oneof(fc.integer({ min: 2024, max: 2027 }), fc.integer({ min: 1900, max: 2400 })),
    month: fc.integer({ min: 1, max: 12 }),
    day: fc.integer({ min: 1, max: 28 }),
    hour: fc.constantFrom(0, 1, 12, 23),
    minute: fc.constantFrom(0, 30, 59),
    second: fc.constantFrom(0, 1, 59),
    fraction: fc.constantFrom('', '5', '123', '123456', '000001', '123456789', '999999999'),
    away: fc.constantFrom(0, 0, 60, -300, 330, 845),
    form: fc.record({
      middle: fc.constantFrom('T', 't', ' '),
      dot: fc.constantFrom('.', ','),
      zone: fc.constantFrom('', 'Z', 'z', '+hh', '+hhmm', '+hh:mm', ' +hh:mm'),
      isDate: fc.boolean(),
    }),
  })
  .map(({ year, month, day, hour, minute, second, fraction, away: given, form }) => {
    const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
    if (form.isDate) return { value: date, means: nanosecondsOf(year, month, day, 0n), isNumber: false };
    const hasZone = form.zone.includes('h');
    const away = !hasZone ? 0 : form.zone === '+hh' ? Math.trunc(given / 60) * 60 : given;
    const sign = away < 0 ? '-' : '+';
    const size = Math.abs(away);
    const zone = form.zone
      .replace('hh', two(Math.floor(size / 60)))
      .replace('mm', two(size % 60))
      .replace('+', sign);
    const time = `${two(hour)}:${two(minute)}:${two(second)}${fraction === '' ? '' : form.dot + fraction}`;
    const seconds = BigInt((hour * 60 + minute - away) * 60 + second);
    const means = nanosecondsOf(year, month, day, seconds * 1_000_000_000n + BigInt(fraction.padEnd(9, '0')));
    return { value: `${date}${form.middle}${time}${zone}`, means, isNumber: false };
  });

const scales = [
  [1_000_000_000n, 100_000_000_000n],
  [1_000_000n, 100_000_000_000_000n],
  [1_000n, 100_000_000_000_000_000n],
  [1n, 100_000_000_000_000_000_000n],
] as const;

/** Numbers of every unit, as numbers (where one holds the digits) and as texts. */
const epoch: fc.Arbitrary<Given> = fc
  .tuple(fc.constantFrom(...scales), fc.bigInt({ min: 0n, max: 4_000_000_000n }), fc.nat(999), fc.boolean())
  .map(([[scale, below], seconds, more, asText]) => {
    const finer = 1_000_000_000n / scale;
    const number = (seconds + 400_000_000n) * finer + (finer === 1n ? 0n : BigInt(more));
    const isHeld = number <= BigInt(Number.MAX_SAFE_INTEGER);
    const value = asText || !isHeld ? String(number) : Number(number);
    expect(number < below).toBe(true);
    return { value, means: number * scale, isNumber: true };
  });

const moment = fc.oneof(isoText, epoch);

const signOf = (order: number | bigint | undefined): number | undefined =>
  order === undefined ? undefined : order > 0 ? 1 : order < 0 ? -1 : 0;

describe('comparing moments', () => {
  it('agrees with counting nanoseconds, in every pair of accepted forms, from data and from the template', () => {
    fc.assert(
      fc.property(moment, moment, (one, other) => {
        // Two numbers are compared as numbers: nothing says that they are moments.
        fc.pre(!one.isNumber || !other.isNumber);
        const order = signOf(one.means - other.means);
        expect(signOf(compare(one.value, other.value))).toBe(order);
        expect(signOf(compareWith(other.value)(one.value, other.value))).toBe(order);
      }),
      { numRuns: cases(5_000, 1_000) },
    );
  });
});

it.each([
  ['2026-11-26T20:50:00.123456Z', '2026-11-26 20:50:00.123457+00'],
  ['1764190200123456788', '2025-11-26T20:50:00.123456789Z'],
  ['1764190200123456788', '1764190200123456789'],
  ['1764190200.123456788', '1764190200.123456789'],
])('moments of one millisecond are told apart: %s is before %s', (one, other) => {
  expect([signOf(compare(one, other)), signOf(compare(other, one))]).toEqual([-1, 1]);
});

const branch = (condition: object) => [
  directive('#if', { condition, children: [section('yes')], else: [section('no')] }),
];
const run = (condition: object, data: Record<string, unknown>) => {
  const { blocks, warnings } = compile(branch(condition), data);
  return { holds: textsOf(blocks)[0] === 'yes', warnings };
};

describe('values that cannot be compared', () => {
  const secret = 'sesame 4711';
  it.each<[unknown, unknown, RegExp]>([
    [1_764_190_200, secret, /`a` is a number and .*is a text that is no date/],
    [secret, 5, /`a` is a text that is no date and .*is a number/],
    [[1], 5, /`a` is a list and .*is a number/],
    [{}, '2026-11-26', /`a` is an object and .*is a date/],
    [true, 0, /`a` is a boolean and .*is a number/],
    ['', 0, /`a` is a text that is no date and .*is a number/],
    ['26.11.2026', '2026-11-26', /`a` is a text that is no date and .*is a date/],
    ['', '2026-11-26T20:50:00Z', /`a` is a text that is no date and .*is a date/],
    ['2026-11-26 20:50:00+00', secret, /`a` is a date and .*is a text that is no date/],
  ])('make the condition false with a warning that shows neither of them: %j and %j', (a, b, story) => {
    for (const operator of ['gt', 'gte', 'lt', 'lte']) {
      for (const value of [b, { path: 'b' }]) {
        if (typeof b === 'object') continue;
        const { holds, warnings } = run({ path: 'a', operator, value }, { a, b });
        expect(holds).toBe(false);
        expect(warnings).toEqual([expect.stringMatching(story)]);
        expect(warnings[0]).toMatch(/^\/0\/condition: /);
        expect(warnings[0]).not.toContain(secret);
      }
    }
  });

  it('are named with the loop that they are read in', () => {
    const condition = { path: 'row.n', operator: 'gt', value: 1 };
    const blocks = [directive('#each', { path: 'rows', as: 'row', children: branch(condition) })];
    expect(compile(blocks, { rows: [{ n: 2 }, { n: 'x' }] }).warnings).toEqual([
      expect.stringContaining('`rows[1].n` is a text that is no date'),
    ]);
  });

  it('are none where one is missing, or where both are texts and none is a date', () => {
    for (const a of [undefined, null, '', 'abc', '123456789']) {
      expect(run({ path: 'a', operator: 'gt', value: 'x' }, { a }).warnings).toEqual([]);
    }
    expect(run({ path: 'gone', operator: 'lt', value: 5 }, {})).toEqual({ holds: false, warnings: [] });
    expect(run({ path: 'a', operator: 'lt', value: { path: 'gone' } }, { a: 1 })).toEqual({
      holds: false,
      warnings: [],
    });
    const huge = JSON.parse('1e400');
    expect(run({ path: 'a', operator: 'gt', value: 5 }, { a: huge })).toEqual({ holds: false, warnings: [] });
  });
});

describe('the length of lists and texts', () => {
  it.each<[string, unknown, boolean]>([
    ['gt', 2, true],
    ['gte', 3, true],
    ['lt', 3, false],
    ['eq', 3, true],
    ['in', [1, 3], true],
    ['gt', { path: 'least' }, false],
  ])('stands in a condition: %s %j', (operator, value, expected) => {
    for (const l of [['a', 'b', 'c'], 'ab😀']) {
      expect(run({ path: 'l.length', operator, value }, { l, least: 5 })).toEqual({
        holds: expected,
        warnings: [],
      });
    }
    expect(
      run({ path: 'l', operator: 'eq', value: { path: 'm.length' } }, { l: 2, m: ['a', 'b'] }).holds,
    ).toBe(true);
  });
});
