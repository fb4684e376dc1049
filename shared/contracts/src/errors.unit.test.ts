import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { errorTable } from './error-codes.ts';
import { createTemplate } from './operations/templates.ts';
import { httpOperations } from './registry.ts';
import { name } from './resources/values.ts';
import { listedIssues, validationFailed, validationIssues } from './validation.ts';

const issuesOf = (schema: z.ZodType, value: unknown) =>
  validationIssues(schema.safeParse(value, { reportInput: true }).error?.issues ?? []);
const { body } = createTemplate;

describe('an issue of a request', () => {
  const blocks = [{ type: 'divider' }];

  it('of an unknown key is made for those that an answer lists, of however many', () => {
    const keys = Array.from({ length: 50_000 }, (_, at): [string, number] => [`key_${at}`, at]);
    const issues = issuesOf(z.strictObject({}), Object.fromEntries(keys));
    expect(issues.map(({ path }) => path)).toEqual(keys.slice(0, listedIssues).map(([key]) => [key]));
  });

  it('shows the beginning of a key that is as long as a body', () => {
    const issues = [{ code: 'custom', path: ['data', 'k'.repeat(100_000), 0], message: 'is odd' }];
    const { facts, message } = validationFailed(issues);
    const start = `${'k'.repeat(200)}…`;
    expect(facts.issues).toEqual([{ code: 'custom', path: ['data', start, 0], message: 'is odd' }]);
    expect(message).toBe(`data.${start}.0: is odd`);
  });

  it('of a missing field takes two words', () => {
    expect(body && issuesOf(body, { blocks })).toEqual([
      { code: 'invalid_type', path: ['name'], message: 'is required' },
    ]);
  });

  it('of an absent body names the expected type', () => {
    expect(body && issuesOf(body, undefined)).toEqual([
      { code: 'invalid_type', path: [], message: expect.stringContaining('a JSON object is required') },
    ]);
  });

  it.each([
    [z.record(z.string(), z.unknown()), null, 'must be an object, not null'],
    [z.strictObject({ mode: z.enum(['on', 'off']) }), {}, 'is required: one of "on"|"off"'],
    [z.strictObject({ mode: z.enum(['on', 'off']) }), { mode: 1 }, 'must be one of "on"|"off"'],
    [z.int(), 1.5, 'must be a whole number'],
    [z.boolean(), null, 'must be true or false, not null'],
    [z.literal(true), false, 'must be true'],
    [z.int().min(1_000), 999, 'must be 1000 or more'],
    [z.number().max(10), 11, 'must be 10 at most'],
    [z.array(z.string()).min(1), [], 'must have 1 item or more'],
    [z.string().max(255), 'x'.repeat(256), 'must have 255 characters at most'],
    [z.string().max(2, 'is too long'), 'xxx', 'is too long'],
    [z.uuid(), 'x', 'must be a UUID'],
    [z.iso.date(), '2026-11-21T09:00:00Z', 'must be a date, like 2026-01-31'],
    [z.string().regex(/^a$/, 'is no a'), 'b', 'is no a'],
    [z.record(z.string().regex(/^a$/, 'is no a'), z.string()), { b: 'c' }, 'is no a'],
  ])('uses the words of JSON (%#)', (schema, value, message) => {
    expect(issuesOf(schema, value)).toMatchObject([{ message }]);
  });

  it.each([
    [z.array(z.string()).max(2), 'text', 'must be an array, not string'],
    [z.array(z.string()).min(1), '', 'must be an array, not string'],
    [z.string().min(1), [], 'must be a string, not array'],
    [z.string().max(2), { length: 3 }, 'must be a string, not object'],
  ])('of a value of another type says nothing of its length (%#)', (schema, value, message) => {
    expect(issuesOf(schema, value)).toMatchObject([{ message }]);
    expect(issuesOf(schema, value)).toHaveLength(1);
  });

  it('of a value of another type names that type', () => {
    expect(body && issuesOf(body, { name: null, blocks })).toEqual([
      { code: 'invalid_type', path: ['name'], message: 'must be a string, not null' },
    ]);
  });
});

describe('a name', () => {
  it.each([' ', '\u2003 ', '\u00a0'])('of white space alone is refused: %j', (given) => {
    expect(issuesOf(name, given)).toMatchObject([{ message: 'must hold more than white space' }]);
  });

  it('is kept unchanged, including surrounding white space', () => {
    expect(name.parse(' Deploy alert ')).toBe(' Deploy alert ');
  });
});

describe('the advice of an error', () => {
  it('names existing operations only', () => {
    const routes = httpOperations.map((it) => `${it.method} /v1${it.path.replaceAll(/\{\w+\}/g, '{}')}`);
    const advice = Object.values(errorTable).map((it) => it.advice.replaceAll(/\{\w+\}/g, '{}'));
    const named = advice.flatMap((it) => it.match(/(GET|POST|PUT|PATCH|DELETE) \/v1[\w/{}-]+/g) ?? []);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((it) => !routes.includes(it))).toEqual([]);
  });
});
