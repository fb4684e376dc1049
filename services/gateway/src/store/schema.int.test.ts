import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDataSource, migrate, silentLogger } from '@stanza/runtime';
import { type TestDatabase, testDatabase } from '@stanza/stack/testing';
import { entities } from './entities.ts';
import { migrations } from './migrations/index.ts';

const ownerSource = (url: string) =>
  createDataSource({
    url,
    schema: 'gateway',
    entities,
    migrations,
    pool: 1,
    session: {},
    applicationName: 'test',
    log: silentLogger(),
  });

describe('the schema', () => {
  let made: TestDatabase;

  beforeAll(async () => {
    made = await testDatabase('gateway');
  });
  afterAll(() => made.drop());

  it('is what the entities say', async () => {
    const source = ownerSource(made.ownerUrl);
    await source.initialize();
    try {
      const { upQueries } = await source.driver.createSchemaBuilder().log();
      expect(upQueries.map((it) => it.query)).toEqual([]);
    } finally {
      await source.destroy();
    }
  });

  it('comes of migrations that may be run again', async () => {
    const options = { url: made.ownerUrl, schema: 'gateway', serviceRole: 'stanza_gateway' };
    expect(await migrate({ ...options, migrations, log: silentLogger() })).toEqual([]);
  });

  it('goes away with the migrations that made it', async () => {
    const other = await testDatabase('gateway');
    try {
      const source = ownerSource(other.ownerUrl);
      await source.initialize();
      for (const _ of migrations) await source.undoLastMigration();
      const tables = await source.query("select tablename from pg_tables where schemaname = 'gateway'");
      await source.destroy();
      expect(tables).toEqual([{ tablename: 'migrations' }]);
    } finally {
      await other.drop();
    }
  });
});
