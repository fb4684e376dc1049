import type { MigrationInterface, QueryRunner } from 'typeorm';

const steps = [
  `create table event_subscriptions (
     organization_id uuid not null,
     environment text not null
       constraint event_subscriptions_environment check (environment in ('production', 'preview')),
     id uuid not null,
     operation_id uuid not null,
     destination_id uuid not null,
     types text[] not null,
     description text,
     is_active boolean not null,
     created_by text not null,
     created_at timestamptz(3) not null,
     updated_at timestamptz(3) not null,
     constraint event_subscriptions_pk primary key (organization_id, environment, id),
     constraint event_subscriptions_operation unique (organization_id, environment, operation_id),
     constraint event_subscriptions_destination foreign key (organization_id, environment, destination_id)
       references destinations (organization_id, environment, id)
   )`,
  `create index event_subscriptions_of_destination
     on event_subscriptions (organization_id, environment, destination_id)`,
  `create table events (
     organization_id uuid not null,
     environment text not null constraint events_environment check (environment in ('production', 'preview')),
     id uuid not null,
     type text not null,
     subject uuid not null,
     data json not null,
     created_at timestamptz(3) not null,
     constraint events_pk primary key (organization_id, environment, id)
   )`,
  'create index events_newest on events (organization_id, environment, created_at, id)',
  'create index events_of_type on events (organization_id, environment, type, created_at, id)',
  'create index events_created_at on events (created_at)',
];

/** Events, and subscriptions to them. */
export class Events1800150000003 implements MigrationInterface {
  readonly name = 'Events1800150000003';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const step of steps) await queryRunner.query(step);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table events');
    await queryRunner.query('drop table event_subscriptions');
  }
}
