import type { MigrationInterface, QueryRunner } from 'typeorm';

const steps = [
  `create table user_identities (
     issuer text not null,
     subject text not null,
     user_id uuid not null constraint user_identities_user references users on delete cascade,
     created_at timestamptz(3) not null default now(),
     constraint user_identities_pk primary key (issuer, subject)
   )`,
  'create index user_identities_user_id on user_identities (user_id)',
];

/** The subjects of identity providers whose sessions act as users. */
export class UserIdentities1764200000060 implements MigrationInterface {
  name = 'UserIdentities1764200000060';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const step of steps) await queryRunner.query(step);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table user_identities');
  }
}
