import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a scheduled message does with a run whose outcome is unknown. Processes of the previous version hold it. */
export class OnUnknown1800150000021 implements MigrationInterface {
  readonly name = 'OnUnknown1800150000021';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      "alter table scheduled_messages add column on_unknown text not null default 'hold'",
    );
    await queryRunner.query('alter table scheduled_runs add column reposts integer not null default 0');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table scheduled_runs drop column reposts');
    await queryRunner.query('alter table scheduled_messages drop column on_unknown');
  }
}
