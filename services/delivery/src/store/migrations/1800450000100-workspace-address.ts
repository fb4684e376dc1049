import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where browsers reach the workspace of a connection, for links to messages. */
export class WorkspaceAddress1800450000100 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table chat_connections add column workspace_url text');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table chat_connections drop column workspace_url');
  }
}
