import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keeps which identity provider a person of the console signed in with. */
export class SessionIssuers1800490000041 implements MigrationInterface {
  readonly name = 'SessionIssuers1800490000041';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table console_sessions add column issuer text');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table console_sessions drop column issuer');
  }
}
