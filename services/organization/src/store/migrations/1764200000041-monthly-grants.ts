import type { MigrationInterface, QueryRunner } from 'typeorm';

const steps = [
  // Existing accounts have received this month's credits with the first grant or by hand. The default serves processes
  // of the previous version, which open accounts during a rollout.
  `alter table credit_accounts
     add column next_grant_at timestamptz(3) not null
       default (date_trunc('month', now(), 'UTC') + '1 mon')`,
  'create index credit_accounts_next_grant_at on credit_accounts (next_grant_at)',
];

/** When the credits of the next month are due for each account. */
export class MonthlyGrants1764200000041 implements MigrationInterface {
  name = 'MonthlyGrants1764200000041';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const step of steps) await queryRunner.query(step);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index credit_accounts_next_grant_at');
    await queryRunner.query('alter table credit_accounts drop column next_grant_at');
  }
}
