import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { silentLogger } from '../log.ts';
import {
  FirstTables1700000000000,
  provisionSchema,
  startTestPostgres,
  type TestPostgres,
} from '../testing/postgres.ts';
import { awaitSchema } from './await-schema.ts';
import { migrate } from './migrate.ts';

class Second1700000000001 implements MigrationInterface {
  readonly name = 'Second1700000000001';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table notes add column author text');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table notes drop column author');
  }
}

const schema = 'organization';
const log = silentLogger();
const both = [FirstTables1700000000000, Second1700000000001];
let postgres: TestPostgres;
let url: string;

beforeAll(async () => {
  postgres = await startTestPostgres();
  url = await provisionSchema(postgres.url, schema);
}, 30_000);
afterAll(() => postgres.close());

const wait = (patienceMs: number, migrations = both, address = url) =>
  awaitSchema({ url: address, schema, migrations, log, patienceMs, lookAgainMs: 20 });

describe('waiting for the schema', () => {
  it('names what is missing when its patience ends', async () => {
    await expect(wait(50)).rejects.toThrow('the schema organization lacks Second1700000000001');
  });

  it('says so too while there is no database, and shows no password', async () => {
    const nowhere = 'postgres://stanza_organization:hunter2@127.0.0.1:1/none';
    const error: unknown = await wait(50, both, nowhere).catch((err) => err);
    expect(String(error)).toContain('lacks FirstTables1700000000000, Second1700000000001');
    expect(String(error)).not.toContain('hunter2');
  });

  it('ends as soon as the last migration is there, with the rights of the service alone', async () => {
    const waiting = wait(20_000);
    await migrate({
      url: postgres.url,
      schema,
      migrations: both,
      serviceRole: 'stanza_organization',
      log,
    });
    await waiting;
  });

  it('is content with a schema that is further than the code: an older release goes on', async () => {
    await wait(0, [FirstTables1700000000000]);
  });
});
