import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a template says of locale, time zone and missing values, for requests that don't. */
export class TemplateDefaults1795300000050 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `alter table templates
         add column locale text,
         add column timezone text,
         add column strict boolean not null default false`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'alter table templates drop column locale, drop column timezone, drop column strict',
    );
  }
}
