import type { MigrationInterface, QueryRunner } from 'typeorm';

const indexes = {
  scheduled_messages_turns: "scheduled_messages (organization_id, next_run_at) where status = 'active'",
  deliveries_due_by_organization: "deliveries (organization_id, due_at) where status = 'waiting'",
};

/** Organizations take turns at due runs and at due deliveries, so their backlogs are read one by one. */
export class Turns1800360000102 implements MigrationInterface {
  readonly name = 'Turns1800360000102';
  /** An index is built concurrently with writers outside of a transaction only. */
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [name, rows] of Object.entries(indexes)) {
      // Left over by a build that was interrupted.
      await queryRunner.query(`drop index concurrently if exists ${name}`);
      await queryRunner.query(`create index concurrently ${name} on ${rows}`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const name of Object.keys(indexes)) await queryRunner.query(`drop index ${name}`);
  }
}
