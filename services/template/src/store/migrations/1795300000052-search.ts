import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lower case, without diacritics, so that `arger` finds `Ärger`. The queries use the same expression. */
const searchable = `lower(
  regexp_replace(normalize(name || ' ' || coalesce(description, ''), NFKD), '[\\u0300-\\u036f]', '', 'g')
  collate "und-x-icu"
) gin_trgm_ops`;

/** With the tenant, so that a search scans its own rows only; btree_gin supports uuid and text. */
const columns = `organization_id, environment, ${searchable}`;

/** Finds templates and entities by similar words. */
export class Search1795300000052 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`create index templates_search on templates using gin (${columns})`);
    await queryRunner.query(`create index entities_search on entities using gin (${columns})`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index templates_search, entities_search');
  }
}
