import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The addresses from where keys may be used. */
export class KeyAddresses1800050000005 implements MigrationInterface {
  name = 'KeyAddresses1800050000005';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query("alter table api_keys add column allowed_addresses text[] not null default '{}'");
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table api_keys drop column allowed_addresses');
  }
}
