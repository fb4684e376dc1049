import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Queues whose messages are posted with the first event of a batch, and which of their batches have events to show. */
export class LiveDigests1800430000501 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `alter table queues
         add column live boolean not null default false,
         add column live_interval_seconds integer`,
    );
    await queryRunner.query(
      `alter table batches
         add column live_due_at timestamptz(3),
         add column live_operation_id uuid,
         add column live_shown_at timestamptz(3)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `alter table batches
         drop column live_shown_at,
         drop column live_operation_id,
         drop column live_due_at`,
    );
    await queryRunner.query(
      `alter table queues
         drop column live_interval_seconds,
         drop column live`,
    );
  }
}
