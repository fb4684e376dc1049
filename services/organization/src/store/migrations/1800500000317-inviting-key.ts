import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keeps which key has made an invitation, so that revoking the key can revoke it. */
export class InvitingKey1800500000317 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table invitations add column api_key_id uuid');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table invitations drop column api_key_id');
  }
}
