import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Refuses to change the key of a message, by which its state is found. It is a migration of its own: one transaction that
 * locks the states and then the messages deadlocks with a send, which locks them in the other order.
 */
export class KeptMessageKeys1800460000104 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `create function messages_keep_their_key() returns trigger
         language plpgsql as $$
           begin
             raise restrict_violation using message = 'The key of a message stays as it is.';
           end
         $$`,
    );
    await queryRunner.query(
      `create trigger messages_key before update of organization_id, environment, id on messages
         for each row
         when ((old.organization_id, old.environment, old.id) is distinct from
           (new.organization_id, new.environment, new.id))
         execute function messages_keep_their_key()`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop trigger messages_key on messages');
    await queryRunner.query('drop function messages_keep_their_key()');
  }
}
