import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Organizations take turns at overdue reservations, so their backlogs are read one by one. */
export class ReservationTurns1800360000101 implements MigrationInterface {
  readonly name = 'ReservationTurns1800360000101';
  /** An index is built concurrently with writers outside of a transaction only. */
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    // Left over by a build that was interrupted.
    await queryRunner.query('drop index concurrently if exists reservations_report_turns');
    await queryRunner.query(
      `create index concurrently reservations_report_turns
         on reservations (organization_id, report_due_at) where closed_at is null`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index reservations_report_turns');
  }
}
