import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Checks the rows that were there before the checks were widened. */
export class LivingMessagesChecked1800410000311 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table messages validate constraint messages_status');
    await queryRunner.query('alter table messages validate constraint messages_charged');
    await queryRunner.query('alter table messages validate constraint messages_change');
  }

  async down(): Promise<void> {}
}
