import type { MigrationInterface, QueryRunner } from 'typeorm';

const steps = [
  // No foreign key to users: the previous version deletes the users of an erased organization without knowing this
  // table.
  `create table deactivated_members (
     organization_id uuid not null constraint deactivated_members_organization references organizations,
     user_id uuid not null,
     role text not null constraint deactivated_members_role check (role in ('viewer', 'member', 'admin')),
     joined_at timestamptz(3) not null,
     deactivated_at timestamptz(3) not null,
     constraint deactivated_members_pk primary key (organization_id, user_id)
   )`,
  'create index deactivated_members_user_id on deactivated_members (user_id)',
];

/** Members whom the identity provider has deactivated. */
export class DeactivatedMembers1800050000006 implements MigrationInterface {
  name = 'DeactivatedMembers1800050000006';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const step of steps) await queryRunner.query(step);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table deactivated_members');
  }
}
