import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Checks the rows that were there before the checks were widened. */
export class PausedSchedulesChecked1800430000520 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table scheduled_messages validate constraint scheduled_messages_status');
    await queryRunner.query('alter table scheduled_messages validate constraint scheduled_messages_ended');
  }

  async down(): Promise<void> {}
}
