import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a queue does with a digest whose outcome is unknown. Processes of the previous version hold it. */
export class OnUnknown1800150000020 implements MigrationInterface {
  readonly name = 'OnUnknown1800150000020';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query("alter table queues add column on_unknown text not null default 'hold'");
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table queues drop column on_unknown');
  }
}
