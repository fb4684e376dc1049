import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keeps what a click has replaced of a message, so that a refusal of the platform takes the click's content back. */
export class ReplacedContent1800500000318 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table message_contents add column replaced json');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table message_contents drop column replaced');
  }
}
