import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which message a sender's key has in a conversation, and the options of scheduled messages. */
export class MessageKeys1800410000314 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `create table message_keys (
         organization_id uuid not null, environment text not null, message_key text not null, channel text not null,
         message_id uuid not null, taken_at timestamptz(3) not null,
         constraint message_keys_pk primary key (organization_id, environment, message_key, channel),
         constraint message_keys_environment check (environment in ('production', 'preview'))
       )`,
    );
    await queryRunner.query('create index message_keys_taken_at on message_keys (taken_at)');
    await queryRunner.query('alter table scheduled_messages add column options json');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table scheduled_messages drop column options');
    await queryRunner.query('drop table message_keys');
  }
}
