import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { createScimUser } from '../operations/scim.ts';
import { validationIssues } from '../validation.ts';
import { personName } from './people.ts';
import { key, messageTs, moment, momentQuery, name, smallRecord } from './values.ts';

describe('a key', () => {
  it.each([
    'deploy-alert',
    'a',
    '4711',
    '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0',
    'x1938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f',
  ])('is %s', (value) => {
    expect(key.safeParse(value).success).toBe(true);
  });

  it.each(['', '-a', 'a-', 'Deploy', 'deploy alert', 'x'.repeat(101)])('is not %j', (value) => {
    expect(key.safeParse(value).success).toBe(false);
  });

  it('does not look like an id, so that either may be taken in one place', () => {
    const parsed = key.safeParse('01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f');
    expect(parsed.error?.issues[0]?.message).toContain('not look like an id');
  });
});

describe('a name', () => {
  it.each(['Deploy', 'Lieferung für Zoë', 'تسليم الطلب', '納品 🚚', 'a\u200db', '\u200fx'])(
    'is any line of text: %j',
    (value) => {
      expect(name.safeParse(value).success).toBe(true);
      expect(personName.safeParse(value).success).toBe(true);
    },
  );

  it.each([
    'a\nb',
    'a\rb',
    '\u001b]52;c;eA==\u0007',
    'a\u009bb',
    'a\u202eb',
    'a\u2066b',
    'a\u007fb',
    'a\u2028b',
    ' ',
    '',
  ])('moves no cursor and turns no text around: %j', (value) => {
    expect(name.safeParse(value).success).toBe(false);
    if (value.trim() === '') return;
    expect(personName.safeParse(value).success).toBe(false);
    for (const part of ['givenName', 'familyName']) {
      const user = { userName: 'ada@example.com', name: { [part]: value } };
      expect(createScimUser.body?.safeParse(user).success).toBe(false);
    }
  });
});

describe('a moment of a request', () => {
  it.each([
    ['2026-11-26T10:00:00Z', '2026-11-26T10:00:00Z'],
    ['2026-11-26T10:00:00z', '2026-11-26T10:00:00Z'],
    ['2026-11-26t10:00:00.123z', '2026-11-26T10:00:00.123Z'],
    ['2026-11-26 10:00:00Z', '2026-11-26T10:00:00Z'],
    ['2026-11-26t10:00:00+01:00', '2026-11-26T10:00:00+01:00'],
    ['2026-11-26T10:00:00-08:00', '2026-11-26T10:00:00-08:00'],
  ])('is read as RFC 3339 allows it: %s', (given, read) => {
    expect(moment.parse(given)).toBe(read);
    expect(momentQuery.parse(given)).toBe(read);
  });

  it.each([
    ['2026-11-26T10:00:00 01:00', '2026-11-26T10:00:00+01:00'],
    ['2026-11-26t10:00:00.5 01:00', '2026-11-26T10:00:00.5+01:00'],
    ['2026-11-26 10:00:00 01:00', '2026-11-26T10:00:00+01:00'],
  ])('may have its + as a space in a query, where nobody escaped it: %s', (given, read) => {
    expect(momentQuery.parse(given)).toBe(read);
    expect(moment.safeParse(given).success).toBe(false);
  });

  it.each([
    '',
    'now',
    '2026-11-26',
    '2026-11-26T10:00:00',
    '2026-02-30T10:00:00Z',
    '10:00:00 01:00',
    '1795726519',
  ])('is none: %j', (given) => {
    expect(moment.safeParse(given).success).toBe(false);
    const { error } = momentQuery.safeParse(given);
    expect(validationIssues(error?.issues ?? [])[0]?.message).toContain('%2B');
  });
});

describe('a moment that Postgres could not keep', () => {
  it.each(['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00'])(
    'is refused, so that no statement fails on it: %s',
    (given) => {
      for (const schema of [moment, momentQuery])
        expect(schema.safeParse(given).error?.issues).toMatchObject([
          { message: expect.stringContaining('0001 to 9999') },
        ]);
    },
  );

  it.each(['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'])(
    'is not one of the years between: %s',
    (given) => {
      expect(moment.parse(given)).toBe(given);
    },
  );
});

describe('the ts of a message', () => {
  it('has ten digits, a dot and six digits', () => {
    expect(messageTs.parse('1795726519.249000')).toBe('1795726519.249000');
  });

  it.each([
    '1795726519.2490',
    '1795726519.249',
    '1795726519',
    '1.1',
    '795726519.249000',
    '1795726519.2490000',
    ' 1795726519.249000',
    '1795726519,249000',
    'p1795726519249000',
    '',
  ])('is refused as %j, with what it is', (ts) => {
    const { error } = messageTs.safeParse(ts);
    expect(validationIssues(error?.issues ?? [])).toMatchObject([
      { message: expect.stringContaining('ten digits, a dot and six digits') },
    ]);
  });

  it('is refused as a number, which has lost its zeros', () => {
    const { error } = messageTs.safeParse(1795726519.249);
    expect(validationIssues(error?.issues ?? [])).toMatchObject([
      {
        message:
          'must be text, like "1795249800.000100": as a number it loses its zeros, and names no message',
      },
    ]);
  });

  it('is refused as anything else by its type', () => {
    const { error } = messageTs.safeParse(true);
    expect(validationIssues(error?.issues ?? [])).toMatchObject([
      { message: 'must be a string, not boolean' },
    ]);
  });
});

describe('a record of few texts', () => {
  const schema = smallRecord(z.string().max(2), z.string(), 3, 'headers');
  const issuesOf = (value: unknown) => validationIssues(schema.safeParse(value).error?.issues ?? []);

  it('a record with too many entries is refused by their number alone, however many are wrong', () => {
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`key-${at}`, at]));
    expect(issuesOf(many)).toEqual([{ code: 'custom', path: [], message: 'must hold 3 headers at most' }]);
  });

  it('a record with few entries names each wrong one', () => {
    expect(issuesOf({ a: 1, long: 'x', b: 'y' }).map(({ path }) => path)).toEqual([['a'], ['long']]);
    expect(issuesOf('many characters')).toMatchObject([{ code: 'invalid_type' }]);
  });
});
