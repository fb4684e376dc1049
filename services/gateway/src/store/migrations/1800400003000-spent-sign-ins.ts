import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keeps which sign-ins have been returned from, until they are too old. */
export class SpentSignIns1800400003000 implements MigrationInterface {
  readonly name = 'SpentSignIns1800400003000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create table spent_sign_ins (
        digest bytea not null, spent_at timestamptz(3) not null,
        constraint spent_sign_ins_pk primary key (digest)
      )`);
    await queryRunner.query('create index spent_sign_ins_spent_at on spent_sign_ins (spent_at)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table spent_sign_ins');
  }
}
