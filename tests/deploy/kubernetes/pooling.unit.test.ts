import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '../../..');

/** What holds beyond a transaction, and is lost where a pooler gives each transaction another connection. */
const sessionState: Record<string, RegExp> = {
  'a lock of the session': /\bpg_(?:try_)?advisory_lock(?:_shared)?\s*\(/i,
  'a channel that is listened to': /[`'"]\s*(?:un)?listen\s+\w+\s*[;`'"]/i,
  'a setting of the session': /[`'"]\s*set\s+(?!local\b|transaction\b)(?:session\s+)?\w+\s*(?:=|to)\s/i,
  'a setting by function that outlives the transaction': /\bset_config\([^)]*,\s*false\s*\)/i,
  'a temporary table': /\bcreate\s+temp(?:orary)?\s+table\b/i,
  'a cursor that is held': /\bwith\s+hold\b/i,
};

const found = (text: string): string[] =>
  Object.entries(sessionState)
    .filter(([, pattern]) => pattern.test(text))
    .map(([name]) => name);

describe('what the services ask of the database', () => {
  it('keeps nothing in a session, so that pgbouncer may pool by transaction', () => {
    const files = globSync('{services/*,shared/runtime}/src/**/*.ts', { cwd: root })
      .filter((file) => !/\.test\.ts$|\/testing\/|\/migrations\//.test(file))
      // Migrations go to Postgres itself, see docs/kubernetes.md.
      .filter((file) => !file.endsWith('database/migrate.ts'));
    const kept = files.flatMap((file) =>
      found(readFileSync(join(root, file), 'utf8')).map((what) => `${file}: ${what}`),
    );
    expect(kept).toEqual([]);
  });

  it.each([
    ['select pg_advisory_lock(1)', 'a lock of the session'],
    ['`listen changes`', 'a channel that is listened to'],
    ["'set statement_timeout = 5'", 'a setting of the session'],
    ["select set_config('a', $1, false)", 'a setting by function that outlives the transaction'],
    ['create temp table t (id int)', 'a temporary table'],
    ['declare c cursor with hold for select 1', 'a cursor that is held'],
  ])('would be found in %s', (text, what) => {
    expect(found(text)).toEqual([what]);
  });
});
