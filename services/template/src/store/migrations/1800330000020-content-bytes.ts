import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The tables that hold contents, and the columns whose bytes count. */
const contents = [
  { table: 'versions', columns: ['blocks', 'sample_data'] },
  { table: 'template_drafts', columns: ['content'] },
  { table: 'sample_data', columns: ['data'] },
  { table: 'modals', columns: ['steps'] },
  { table: 'modal_versions', columns: ['blocks', 'placeholder_mapping', 'sample_data'] },
] as const;

/**
 * How many bytes the contents of a row take, so that their sum can have a limit. A trigger counts, so that processes of the
 * version before count too, and no way to write contents can forget it. Rows from before have no count until somebody writes
 * beside them.
 */
export class ContentBytes1800330000020 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const { table, columns } of contents) {
      // The bytes of json are those of the text that was written.
      const bytes = columns.map((column) => `coalesce(octet_length(new.${column}::text), 0)`);
      await queryRunner.query(`alter table ${table} add column bytes integer`);
      await queryRunner.query(
        `create function ${table}_bytes() returns trigger
         language plpgsql
         as $$
         begin
           new.bytes := ${bytes.join(' + ')};
           return new;
         end
         $$`,
      );
      await queryRunner.query(
        `create trigger ${table}_bytes
         before insert or update of ${columns.join(', ')} on ${table}
         for each row execute function ${table}_bytes()`,
      );
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const { table } of contents) {
      await queryRunner.query(`drop trigger ${table}_bytes on ${table}`);
      await queryRunner.query(`drop function ${table}_bytes()`);
      await queryRunner.query(`alter table ${table} drop column bytes`);
    }
  }
}
