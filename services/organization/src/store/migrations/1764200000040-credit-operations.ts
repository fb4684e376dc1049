import type { MigrationInterface, QueryRunner } from 'typeorm';

const steps = [
  `alter table credit_log
     add column operation text
       constraint credit_log_operation check (operation in ('compile', 'send', 'send-bulk', 'batch', 'schedule'))`,
  // The operation of earlier charges: only messages have an item id.
  `update credit_log
   set operation = case when message_id is null then 'compile' else 'send' end
   where kind in ('charge', 'reversal')`,
  // The default serves processes of the previous version, which write during a rollout.
  `alter table reservations
     add column operation text not null default 'send'
       constraint reservations_operation check (operation in ('send', 'send-bulk', 'batch', 'schedule'))`,
  // The log newest first. It covers every column that usage is grouped by and the log is filtered by, so that a report
  // over millions of rows reads this index only, and each charge maintains one more index instead of four. The
  // condition is always true: it keeps the planner from using this index for lookups of charges by operation while the
  // table is young and lacks statistics.
  `create index credit_log_newest
     on credit_log (organization_id, created_at, id, kind, amount, operation, template_id, actor_id)
     where amount <> 0`,
];

/** The operation of each charge, and an index for usage reports. */
export class CreditOperations1764200000040 implements MigrationInterface {
  name = 'CreditOperations1764200000040';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const step of steps) await queryRunner.query(step);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index credit_log_newest');
    await queryRunner.query('alter table reservations drop column operation');
    await queryRunner.query('alter table credit_log drop column operation');
  }
}
