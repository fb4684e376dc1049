import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether agents get a tool that sends a template. */
export class AgentSends1800310000019 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table templates add column agent_sends boolean not null default false');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table templates drop column agent_sends');
  }
}
