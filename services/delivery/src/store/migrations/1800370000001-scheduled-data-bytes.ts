import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How many bytes the data of a scheduled message takes, so that their sum can have a limit. A trigger counts, so that
 * processes of the version before count too. Rows from before have no count until somebody schedules beside them.
 */
export class ScheduledDataBytes1800370000001 implements MigrationInterface {
  readonly name = 'ScheduledDataBytes1800370000001';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table scheduled_messages add column data_bytes integer');
    await queryRunner.query(
      `create function scheduled_messages_data_bytes() returns trigger
       language plpgsql
       as $$
       begin
         -- The bytes of json are those of the text that was written.
         new.data_bytes := octet_length(new.data::text);
         return new;
       end
       $$`,
    );
    await queryRunner.query(
      `create trigger scheduled_messages_data_bytes
       before insert or update of data on scheduled_messages
       for each row execute function scheduled_messages_data_bytes()`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop trigger scheduled_messages_data_bytes on scheduled_messages');
    await queryRunner.query('drop function scheduled_messages_data_bytes()');
    await queryRunner.query('alter table scheduled_messages drop column data_bytes');
  }
}
