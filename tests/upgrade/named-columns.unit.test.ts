import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { starredTables } from './starred-tables.ts';

const root = join(import.meta.dirname, '../..');
const files = globSync('{services,shared,deploy}/*/src/**/*.ts', { cwd: root }).filter(
  (file) => !/\.test\.ts$|\/(testing|migrations)\//.test(file),
);

/**
 * Statements of the version before are prepared on connections that outlive a migration: Postgres refuses one whose `*`
 * has another column meanwhile. These read with `*` still: a migration that adds a column to such a table fails them.
 */
const stillStarred: Record<string, readonly string[]> = {
  delivery: [
    'chat_connections',
    'chat_installs',
    'delivery_attempts',
    'interactions',
    'message_contents',
    'messages',
    'scheduled_messages',
    'scheduled_runs',
  ],
  gateway: ['idempotency_records'],
  organization: ['credit_log', 'reservations'],
};

describe('statements that are prepared', () => {
  it('are looked through for a star', () => {
    expect(starredTables('select *\n   from messages\n where id = $1')).toEqual(['messages']);
    expect(starredTables('select *, now() as looked_at\n from messages')).toEqual(['messages']);
    const aged = 'select *, (extract(epoch from clock_timestamp() - at)) as age\n from messages';
    expect(starredTables(aged)).toEqual(['messages']);
    expect(starredTables('select name, score from search_templates($1)')).toEqual([]);
    expect(starredTables('select * from search_templates($1)')).toEqual(['search_templates']);
    expect(starredTables('with found as (select * from unnest($1::uuid[])) select * from found')).toEqual([]);
    expect(starredTables('with found as materialized (select 1) select *, 2 as two\n from found')).toEqual(
      [],
    );
    expect(starredTables('select count(*) from messages')).toEqual([]);
  });

  it('name their columns, but for tables that are known', () => {
    const found = files.flatMap((file) => {
      const known = stillStarred[file.split('/')[1] ?? ''] ?? [];
      return starredTables(readFileSync(join(root, file), 'utf8'))
        .filter((table) => !known.includes(table))
        .map((table) => `${file}: ${table}`);
    });
    expect(found).toEqual([]);
  });
});
