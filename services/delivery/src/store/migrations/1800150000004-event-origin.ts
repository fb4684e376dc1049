import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Checks the origins of the deliveries that are there; writers do not wait. */
export class EventOrigin1800150000004 implements MigrationInterface {
  readonly name = 'EventOrigin1800150000004';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table deliveries validate constraint deliveries_origin');
  }

  /** A constraint that was checked does as well where it need not be. */
  async down(): Promise<void> {}
}
