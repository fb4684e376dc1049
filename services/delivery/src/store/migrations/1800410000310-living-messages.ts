import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Rows for the changes of sent messages, and a status for those that were taken out of their channel. */
export class LivingMessages1800410000310 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `alter table messages
         add column revises uuid,
         add column change text,
         add column revision integer not null default 1,
         add column content_digest text,
         add column posted_version_id uuid,
         add column posted_version_number integer,
         add column visible_to text,
         add column message_key text`,
    );
    await queryRunner.query(
      `alter table messages
         drop constraint messages_status,
         drop constraint messages_charged,
         add constraint messages_status
           check (status in ('accepted', 'posting', 'sent', 'failed', 'unknown', 'deleted')) not valid,
         add constraint messages_charged
           check (status in ('sent', 'deleted') or charged is not true) not valid,
         add constraint messages_change
           check ((revises is null) = (change is null) and change in ('update', 'interaction', 'delete')) not valid`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `alter table messages
         drop constraint messages_change,
         drop constraint messages_status,
         drop constraint messages_charged,
         add constraint messages_status check (status in ('accepted', 'posting', 'sent', 'failed', 'unknown')),
         add constraint messages_charged check (status = 'sent' or charged is not true),
         drop column revises,
         drop column change,
         drop column revision,
         drop column content_digest,
         drop column posted_version_id,
         drop column posted_version_number,
         drop column visible_to,
         drop column message_key`,
    );
  }
}
