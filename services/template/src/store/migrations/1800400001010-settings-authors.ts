import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keeps who has written the settings of a template and the labels of a modal, which become live with a version. */
export class SettingsAuthors1800400001010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table templates add column settings_authors json');
    await runner.query('alter table modals add column settings_authors json');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table modals drop column settings_authors');
    await runner.query('alter table templates drop column settings_authors');
  }
}
