import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Files of the console's builds, which gateways of other versions serve too. */
export class ConsoleAssets1800320000010 implements MigrationInterface {
  readonly name = 'ConsoleAssets1800320000010';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `create table console_assets (
         path text constraint console_assets_pk primary key,
         content bytea not null,
         kept_at timestamptz(3) not null
       )`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table console_assets');
  }
}
