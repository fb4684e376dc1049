import type { MigrationInterface, QueryRunner } from 'typeorm';

const steps = [
  'alter table audit_log add column client_address text, add column user_agent text',
  // The previous version writes none of these; the default gives its entries the right time.
  'alter table audit_log add column recorded_at timestamptz(3) not null default now()',
];

/**
 * The origin of changes, and when their entries were written. One table for each migration: requests lock several
 * tables in another order.
 */
export class TracesOfPeople1800050000001 implements MigrationInterface {
  name = 'TracesOfPeople1800050000001';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const step of steps) await queryRunner.query(step);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'alter table audit_log drop column client_address, drop column user_agent, drop column recorded_at',
    );
  }
}
