import { ConfinedFunctions } from '@stanza/runtime';
import type { QueryRunner } from 'typeorm';

/** SQL: writes the functions for partitions again, which look for a partition as `before` and then as `after`. */
const lookingFor = (before: string, after: string): string => `do $$
  declare
    function oid;
  begin
    for function in
      select oid from pg_proc
      where pronamespace = 'queue_ingest'::regnamespace and prosecdef and position('${before}' in prosrc) > 0
    loop
      execute replace(pg_get_functiondef(function), '${before}', '${after}');
    end loop;
  end $$`;

const [anywhere, inSchema] = ['to_regclass(name)', "to_regclass('queue_ingest.' || name)"];
const quoted = (text: string): string => text.replaceAll("'", "''");

/**
 * Lets the functions that give keys and make partitions find the tables of the schema alone; a partition that is not
 * there was looked for among temporary tables.
 */
export class ConfinedFunctions1800470000103 extends ConfinedFunctions {
  protected readonly functions = {
    schema: 'queue_ingest',
    called: [
      'drop_event_partition(date)',
      'make_event_partitions(date, integer)',
      'try_drop_event_partition(date)',
      'make_day_partition(text, date)',
      'drop_day_partition(text, date)',
    ],
    triggered: ['give_key(text, text, uuid, text, uuid, text)', 'give_key_of_row()', 'free_key_of_row()'],
  };

  override async up(queryRunner: QueryRunner): Promise<void> {
    await super.up(queryRunner);
    await queryRunner.query(lookingFor(anywhere, quoted(inSchema)));
  }

  override async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(lookingFor(quoted(inSchema), anywhere));
    await super.down(queryRunner);
  }
}
