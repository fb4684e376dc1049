import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A status for scheduled messages that are paused, and who asked for a run outside of its schedule. */
export class PausedSchedules1800430000519 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'alter table scheduled_runs add column requested_by text, add column requested_operation_id uuid',
    );
    await queryRunner.query(
      `alter table scheduled_messages
         drop constraint scheduled_messages_status,
         drop constraint scheduled_messages_ended,
         add constraint scheduled_messages_status
           check (status in ('active', 'paused', 'completed', 'cancelled')) not valid,
         add constraint scheduled_messages_ended
           check ((ended_at is null) = (status in ('active', 'paused'))) not valid`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `alter table scheduled_messages
         drop constraint scheduled_messages_status,
         drop constraint scheduled_messages_ended,
         add constraint scheduled_messages_status check (status in ('active', 'completed', 'cancelled')),
         add constraint scheduled_messages_ended check ((ended_at is null) = (status = 'active'))`,
    );
    await queryRunner.query(
      'alter table scheduled_runs drop column requested_by, drop column requested_operation_id',
    );
  }
}
