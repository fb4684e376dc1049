import type { MigrationInterface, QueryRunner } from 'typeorm';

const steps = [
  `alter table credit_log
     add column operation text
       constraint credit_log_operation check (operation in ('compile', 'send', 'send-bulk', 'batch', 'schedule'))`,
  // What was charged before: only messages have an id of their own.
  `update credit_log
   set operation = case when message_id is null then 'compile' else 'send' end
   where kind in ('charge', 'reversal')`,
  // The default is for processes of the version before, which write beside this one while a rollout lasts.
  `alter table reservations
     add column operation text not null default 'send'
       constraint reservations_operation check (operation in ('send', 'send-bulk', 'batch', 'schedule'))`,
  // The log newest first. It holds whatever use is grouped and the log is filtered by, so that a report over millions
  // of rows reads nothing but this index, and each charge pays for one index more instead of four. The condition says
  // nothing: it keeps the planner, while it knows little of a young table, from taking this index for the lookups of
  // charges by operation.
  `create index credit_log_newest
     on credit_log (organization_id, created_at, id, kind, amount, operation, template_id, actor_id)
     where amount <> 0`,
];

/** What each credit was spent on, and an index to tell it by. */
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
