import { jest } from '@jest/globals';
import { createDataSource, type Migration, silentLogger } from '@stanza/runtime';
import type { RecordedMigration } from './expand-only.ts';

/**
 * Lets migrations run against nothing, where each statement finds no row, and answers the statements that each of them
 * would have run, in order.
 */
export const recordMigrations = async (migrations: readonly Migration[]): Promise<RecordedMigration[]> => {
  const source = createDataSource({
    url: 'postgres://nobody@127.0.0.1:1/none',
    schema: 'none',
    entities: [],
    migrations: [],
    pool: 1,
    session: {},
    applicationName: 'record of migrations',
    log: silentLogger(),
  });
  const recorded: RecordedMigration[] = [];
  for (const make of migrations) {
    const migration = new make();
    const statements: string[] = [];
    const runner = source.createQueryRunner();
    jest.spyOn(runner, 'query').mockImplementation(async (text: string) => {
      statements.push(text);
      return [];
    });
    await migration.up(runner);
    recorded.push({
      name: migration.name ?? make.name,
      inTransaction: migration.transaction !== false,
      statements,
    });
  }
  return recorded;
};
