import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { starredTables } from './starred-tables.ts';

const root = join(import.meta.dirname, '../..');
const files = globSync('{services,shared,deploy}/*/src/**/*.ts', { cwd: root }).filter(
  (file) => !/\.test\.ts$|\/(testing|migrations)\//.test(file),
);

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
    expect(starredTables('update messages as message\n set item = 1\n returning message.*')).toEqual([
      'message',
    ]);
    expect(starredTables('delete from messages returning *')).toEqual(['returning']);
    expect(starredTables('select message.*, 1 as one from messages as message')).toEqual(['message']);
    expect(starredTables('with old as (select 1) select old.* from old')).toEqual([]);
  });

  /**
   * Statements of the previous version are prepared on connections that outlive a migration: Postgres refuses one whose
   * `*` has another column in the meantime.
   */
  it('name their columns', () => {
    const found = files.flatMap((file) =>
      starredTables(readFileSync(join(root, file), 'utf8')).map((table) => `${file}: ${table}`),
    );
    expect(found).toEqual([]);
  });
});
