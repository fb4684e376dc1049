import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A template's defaults for locale, time zone and missing values. */
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
