import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Deliveries of events. The lock on deliveries is held for a moment: the rows that are there are checked by a migration of
 * its own, and no other table is locked beside it.
 */
export class EventDeliveries1800150000001 implements MigrationInterface {
  readonly name = 'EventDeliveries1800150000001';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `alter table deliveries
         add column subject uuid,
         drop constraint deliveries_origin,
         add constraint deliveries_origin
           check (origin in ('batch', 'interaction', 'schedule', 'event', 'test')) not valid`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query("delete from deliveries where origin = 'event'");
    await queryRunner.query(
      `alter table deliveries
         drop constraint deliveries_origin,
         add constraint deliveries_origin check (origin in ('batch', 'interaction', 'schedule', 'test')),
         drop column subject`,
    );
  }
}
