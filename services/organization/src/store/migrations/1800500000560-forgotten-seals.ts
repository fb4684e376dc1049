import type { MigrationInterface, QueryRunner } from 'typeorm';
import { forgetAudit } from './1800410000332-audit-seals.ts';

/**
 * Counts seals where entries were counted. Those of an erased organization have no entries left, and two hundred of
 * them looked like the end of what is to be forgotten.
 */
export class ForgottenSeals1800500000560 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(forgetAudit('create or replace', '1'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(forgetAudit('create or replace', 'step'));
  }
}
