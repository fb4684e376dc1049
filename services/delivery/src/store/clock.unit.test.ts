import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

/** Columns by which processes agree on who may do something, and when. */
const agreed = [
  'due_at',
  'deadline_at',
  'lookup_due_at',
  'next_run_at',
  'next_free_at',
  'withdrawn_at',
  'expires_at',
];

/** Housekeeping deletes by a moment that is days ago; a fence is compared for equality. */
const exceptions = ['operations-forget-withdrawn'];

const statementPattern = /statement<[^(]*>\(\s*'([\w-]+)',\s*`([^`]*)`/g;

/** The statements of the stores, by name. */
const statements = (): [string, string][] =>
  readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .flatMap((name) => [...readFileSync(`${import.meta.dirname}/${name}`, 'utf8').matchAll(statementPattern)])
    .map(([, name = '', text = '']) => [name, text]);

/** A column that is compared with the clock of a process, or set by it. */
const byAnotherClock = new RegExp(
  `\\b(${agreed.join('|')})\\s*(<=|>=|<|>)\\s*\\$\\d|set\\b[^;]*\\b(${agreed.join('|')})\\s*=\\s*\\$\\d[^;]*\\bwhere`,
);

describe('statements about times on which processes agree', () => {
  it('are found in the stores', () => {
    expect(statements().length).toBeGreaterThan(60);
  });

  it('read the clock of the database, never that of a process', () => {
    const wrong = statements()
      .filter(([name, text]) => byAnotherClock.test(text) && !exceptions.includes(name))
      .map(([name]) => name);
    expect(wrong).toEqual([]);
  });

  it.each([
    'update deferred_sends set due_at = $2, tries = tries + 1 where status = 1',
    'select id from messages where deadline_at < $1',
    'update x set error = $1, lookup_due_at = $2 where id = $3',
  ])('would be noticed: %s', (text) => {
    expect(text).toMatch(byAnotherClock);
  });

  it('may require a fence', () => {
    expect('update deliveries set status = $5 where id = $3 and due_at = $4').not.toMatch(byAnotherClock);
  });
});
