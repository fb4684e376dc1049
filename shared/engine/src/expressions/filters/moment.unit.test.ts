import { describe, expect, it } from '@jest/globals';
import { momentOf } from './moment.ts';

const iso = (value: unknown): string | undefined => {
  const moment = momentOf(value);
  return moment && new Date(moment.at).toISOString();
};

describe('a moment', () => {
  it.each<[unknown, string]>([
    ['2026-11-26', '2026-11-26T00:00:00.000Z'],
    ['2026-11-26T20:50', '2026-11-26T20:50:00.000Z'],
    ['2026-11-26T20:50:00Z', '2026-11-26T20:50:00.000Z'],
    ['2026-11-26t20:50:00z', '2026-11-26T20:50:00.000Z'],
    ['2026-11-26 20:50:00+00', '2026-11-26T20:50:00.000Z'],
    ['2026-11-26 20:50:00+02', '2026-11-26T18:50:00.000Z'],
    ['2026-11-26 20:50:00 -0530', '2026-11-27T02:20:00.000Z'],
    ['2026-11-26T20:50:00.123456789+02:00', '2026-11-26T18:50:00.123Z'],
    ['2026-11-26 20:50:00,5', '2026-11-26T20:50:00.500Z'],
    [1_764_190_200, '2025-11-26T20:50:00.000Z'],
    [1_764_190_200.5, '2025-11-26T20:50:00.500Z'],
    [1_764_190_200_123, '2025-11-26T20:50:00.123Z'],
    [1_764_190_200_123_456, '2025-11-26T20:50:00.123Z'],
    [1_764_190_200_123_000_000, '2025-11-26T20:50:00.123Z'],
    ['1764190200', '2025-11-26T20:50:00.000Z'],
    ['1764190200.123456', '2025-11-26T20:50:00.123Z'],
    ['1764190200123', '2025-11-26T20:50:00.123Z'],
    ['1764190200123456', '2025-11-26T20:50:00.123Z'],
    ['1764190200123456789', '2025-11-26T20:50:00.123Z'],
    [0, '1970-01-01T00:00:00.000Z'],
    [-1, '1969-12-31T23:59:59.000Z'],
    [-0.0005, '1969-12-31T23:59:59.999Z'],
    [1e-9, '1970-01-01T00:00:00.000Z'],
  ])('is read from %j', (value, expected) => {
    expect(iso(value)).toBe(expected);
  });

  it.each([
    '2026-02-30',
    '2026-13-01',
    '2026-11-26T25:00',
    '2026-11-26T20:50:00+24',
    '2026-11-26T20:50:00+02:60',
    '2026-11-26T20',
    '20261126',
    '12345678',
    '123456789012345678901',
    'yesterday',
    '',
    1e20,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    true,
    null,
    [],
    {},
  ])('is not read from %j', (value) => {
    expect(momentOf(value)).toBeUndefined();
  });

  it('keeps the nanoseconds that a comparison needs', () => {
    expect(momentOf('2026-11-26T20:50:00.123456789Z')).toMatchObject({ nanoseconds: 456_789 });
    expect(momentOf('1764190200123456789')).toMatchObject({ nanoseconds: 456_789 });
    expect(momentOf(1_764_190_200.123_456)).toMatchObject({ nanoseconds: 456_000 });
    expect(momentOf(-0.000_000_5)).toMatchObject({ at: 0 });
  });

  it('belongs to no time zone where it is a calendar date', () => {
    expect([momentOf('2026-11-26')?.isDate, momentOf('2026-11-26T00:00')?.isDate]).toEqual([true, false]);
  });
});
