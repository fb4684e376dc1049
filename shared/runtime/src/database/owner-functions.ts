import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Functions of one schema that run with the rights of the owner, as `name(types)`. */
export interface OwnerFunctions {
  schema: string;
  /** Those that statements of the service call. */
  called: readonly string[];
  /** Those that triggers alone call. They write tables that their arguments name. */
  triggered: readonly string[];
}

/**
 * Lets a function with the rights of the owner find nothing that its caller has made. Temporary tables and types come
 * before all others unless the search path names them: where a role may make some, it put a table of its own, with a
 * trigger of its own, in the place of one of the schema, and had the rights of the owner in all schemas.
 *
 * Each service extends it under a name of its own.
 */
export abstract class ConfinedFunctions implements MigrationInterface {
  protected abstract readonly functions: OwnerFunctions;

  async up(queryRunner: QueryRunner): Promise<void> {
    await this.#setPath(queryRunner, ', pg_temp');
    // A trigger needs the right when it is made, and not when it runs.
    for (const name of this.functions.triggered)
      await queryRunner.query(`revoke execute on function ${name} from public`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const name of this.functions.triggered)
      await queryRunner.query(`grant execute on function ${name} to public`);
    await this.#setPath(queryRunner, '');
  }

  async #setPath(queryRunner: QueryRunner, temporary: string): Promise<void> {
    const { schema, called, triggered } = this.functions;
    for (const name of [...called, ...triggered])
      await queryRunner.query(
        `alter function ${name} set search_path = ${schema}, extensions, public${temporary}`,
      );
  }
}
