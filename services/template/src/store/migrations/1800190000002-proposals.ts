import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Versions that somebody proposes to make live; a version has one open proposal at the most. */
export class Proposals1800190000002 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `create table template_proposals (
         organization_id uuid not null,
         environment text not null,
         id uuid not null,
         template_id uuid not null,
         operation_id uuid not null,
         version_id uuid not null,
         version_number integer not null,
         live_version_id uuid,
         live_version_number integer,
         status text not null,
         note text,
         proposed_by text not null,
         key_id uuid,
         source text not null,
         agent text,
         created_at timestamptz(3) not null,
         decided_by text,
         decided_at timestamptz(3),
         reason text,
         constraint template_proposals_pk primary key (organization_id, environment, id),
         constraint template_proposals_operation unique (organization_id, environment, operation_id),
         constraint template_proposals_status
           check (status in ('open', 'accepted', 'declined', 'withdrawn', 'superseded')),
         constraint template_proposals_source check (source in ('web', 'api', 'mcp')),
         constraint template_proposals_decided check ((status = 'open') = (decided_at is null)),
         constraint template_proposals_template foreign key (organization_id, environment, template_id)
           references templates (organization_id, environment, id) on delete cascade
       )`,
    );
    await queryRunner.query(
      `create unique index template_proposals_open
         on template_proposals (organization_id, environment, version_id)
         where status = 'open'`,
    );
    await queryRunner.query(
      `create index template_proposals_of_template
         on template_proposals (organization_id, environment, template_id, created_at, id)`,
    );
    await queryRunner.query(
      `create index template_proposals_created_at
         on template_proposals (organization_id, environment, created_at, id)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table template_proposals');
  }
}
