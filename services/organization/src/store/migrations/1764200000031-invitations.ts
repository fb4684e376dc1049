import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Invitations, and lists of members and keys by page. */
export class Invitations1764200000031 implements MigrationInterface {
  name = 'Invitations1764200000031';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `create table invitations (
         id uuid constraint invitations_pk primary key,
         organization_id uuid not null constraint invitations_organization references organizations,
         email text not null,
         role text not null constraint invitations_role check (role in ('viewer', 'member', 'admin')),
         status text not null default 'pending'
           constraint invitations_status check (status in ('pending', 'accepted', 'revoked', 'expired')),
         message text,
         token_hash bytea not null constraint invitations_token_hash unique,
         invited_by uuid constraint invitations_invited_by references users,
         accepted_by uuid constraint invitations_accepted_by references users,
         created_at timestamptz(3) not null,
         expires_at timestamptz(3) not null,
         accepted_at timestamptz(3),
         revoked_at timestamptz(3)
       )`,
    );
    await queryRunner.query(
      `create unique index invitations_pending on invitations (organization_id, email)
       where status = 'pending'`,
    );
    await queryRunner.query(
      'create index invitations_newest on invitations (organization_id, created_at, id)',
    );
    await queryRunner.query('create index api_keys_of_user on api_keys (organization_id, user_id)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index api_keys_of_user');
    await queryRunner.query('drop table invitations');
  }
}
