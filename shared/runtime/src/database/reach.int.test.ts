import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { EntitySchema, type MigrationInterface, type QueryRunner } from 'typeorm';
import { coalesce } from '../coalescer.ts';
import { newId } from '../id.ts';
import { silentLogger } from '../observability/log.ts';
import {
  connectTo,
  FirstTables1700000000000,
  provisionSchema,
  startTestPostgres,
  type TestPostgres,
} from '../testing/postgres.ts';
import type { Database } from './database.ts';
import { migrate } from './migrate.ts';
import { acrossOrganizations, withinOrganizations } from './reach.ts';
import { ReachClient } from './reach-client.ts';
import { statement } from './statement.ts';

interface Secret {
  organization_id: string;
  text: string;
}

/** A table of organizations, made by a later release. */
class Secrets1700000001000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('create table secrets (organization_id uuid primary key, text text not null)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table secrets');
  }
}

const secretEntity = new EntitySchema<Secret>({
  name: 'secrets',
  columns: { organization_id: { type: 'uuid', primary: true }, text: { type: 'text' } },
});

/** Statements whose condition on the organization was forgotten. */
const forgetful = {
  read: statement<Secret>('secrets-read', 'select text from secrets where text <> $1 order by text'),
  insert: statement<Secret>('secrets-insert', 'insert into secrets values ($1, $2) returning text'),
  update: statement<Secret>('secrets-update', 'update secrets set text = $1 returning text'),
  delete: statement<Secret>('secrets-delete', 'delete from secrets where text <> $1 returning text'),
};

const schema = 'organization';
const acme = newId();
const beacon = newId();
let postgres: TestPostgres;
let url: string;
let database: Database;

beforeAll(async () => {
  postgres = await startTestPostgres();
  url = await provisionSchema(postgres.url, schema);
  await migrate({
    url: postgres.url,
    schema,
    migrations: [FirstTables1700000000000, Secrets1700000001000],
    serviceRole: `stanza_${schema}`,
    log: silentLogger(),
  });
  database = await connectTo(url, schema, { entities: [secretEntity] });
});
afterAll(async () => {
  await database.close();
  await postgres.close();
});

const read = async (): Promise<string[]> =>
  (await database.query(forgetful.read, [''])).map(({ text }) => text);

beforeEach(async () => {
  await database.query(forgetful.delete, ['']);
  await database.query(forgetful.insert, [acme, 'of acme']);
  await database.query(forgetful.insert, [beacon, 'of beacon']);
});

describe('work for an organization', () => {
  it('reads, changes and deletes no rows of others, even where a statement lacks the condition', async () => {
    await withinOrganizations([acme], async () => {
      expect(await read()).toEqual(['of acme']);
      expect(await database.query(forgetful.update, ['changed'])).toEqual([{ text: 'changed' }]);
      expect(await database.query(forgetful.delete, [''])).toEqual([{ text: 'changed' }]);
    });
    expect(await read()).toEqual(['of beacon']);
  });

  it('inserts no row of another organization', async () => {
    const other = newId();
    const made = withinOrganizations([acme], () => database.query(forgetful.insert, [other, 'planted']));
    await expect(made).rejects.toThrow('violates row-level security policy');
  });

  it('is limited in transactions and in the ORM as well', async () => {
    await withinOrganizations([beacon], async () => {
      const inTransaction = await database.transaction(async (tx) => [
        ...(await tx.query(forgetful.read, [''])),
        ...(await tx.orm.query<Secret[]>('select text from secrets where text <> $1', [''])),
        ...(await tx.orm.getRepository(secretEntity).findBy({ text: 'of acme' })),
      ]);
      expect(inTransaction.map(({ text }) => text)).toEqual(['of beacon', 'of beacon']);
      expect(await database.orm.getRepository(secretEntity).findBy({ text: 'of acme' })).toEqual([]);
    });
  });

  it('is limited in a statement without parameters, however it is sent', async () => {
    await withinOrganizations([beacon], async () => {
      expect(await database.orm.find(secretEntity)).toMatchObject([{ text: 'of beacon' }]);
      expect(await database.orm.query('select text from secrets')).toEqual([{ text: 'of beacon' }]);
      const inTransaction = await database.transaction((tx) => tx.orm.find(secretEntity), {
        isolation: 'SERIALIZABLE',
      });
      expect(inTransaction).toMatchObject([{ text: 'of beacon' }]);
    });
    expect(await database.orm.find(secretEntity)).toHaveLength(2);
  });

  it('is limited in an unnamed query', async () => {
    const client = new ReachClient({ connectionString: url });
    await client.connect();
    try {
      const texts = await withinOrganizations([beacon], async () => {
        const { rows } = await client.query<Secret>({ text: `select text from ${schema}.secrets` });
        return rows.map(({ text }) => text);
      });
      expect(texts).toEqual(['of beacon']);
    } finally {
      await client.end();
    }
  });

  it('leaves no reach on the connection for the next query', async () => {
    const single = await connectTo(url, schema, { pool: 1 });
    try {
      const one = () => single.query(forgetful.read, ['']);
      expect(await withinOrganizations([acme], one)).toHaveLength(1);
      expect(await acrossOrganizations(one)).toHaveLength(2);
      expect(await withinOrganizations([newId()], one)).toHaveLength(0);
    } finally {
      await single.close();
    }
  });

  it('keeps its reach while it waits for a connection in use by others', async () => {
    const single = await connectTo(url, schema, { pool: 1 });
    try {
      const textsOf = async (id: string): Promise<string[]> => {
        const rows = await withinOrganizations([id], () => single.query(forgetful.read, ['']));
        return rows.map(({ text }) => text);
      };
      const all = await Promise.all([acme, beacon, acme, beacon].map(textsOf));
      expect(all).toEqual([['of acme'], ['of beacon'], ['of acme'], ['of beacon']]);
    } finally {
      await single.close();
    }
  });

  it('keeps a prepared statement after another query on the connection has failed', async () => {
    const broken = statement<object>('broken', 'select * from no_such_table where $1 = 1');
    const single = await connectTo(url, schema, { pool: 1 });
    try {
      await expect(single.query(broken, [1])).rejects.toThrow('no_such_table');
      await expect(single.query(broken, [1])).rejects.toThrow('no_such_table');
      expect(await withinOrganizations([acme], () => single.query(forgetful.read, ['']))).toHaveLength(1);
    } finally {
      await single.close();
    }
  });
});

describe('a batch', () => {
  it('reaches the organizations of its callers, and no other', async () => {
    const third = newId();
    await database.query(forgetful.insert, [third, 'of a third']);
    const batches: string[][] = [];
    const readTogether = coalesce<number, number>({
      name: 'secrets',
      key: () => 'one',
      maxBatch: 10,
      run: async (items) => {
        batches.push(await read());
        return items;
      },
    });
    await Promise.all([
      withinOrganizations([acme], () => readTogether(1)),
      withinOrganizations([beacon], () => readTogether(2)),
    ]);
    expect(batches).toEqual([['of acme', 'of beacon']]);
  });
});

describe('the wall', () => {
  it('shows all rows to a process of the previous release, which names no reach', async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      expect((await client.query(`select from ${schema}.secrets`)).rowCount).toBe(2);
    } finally {
      await client.end();
    }
  });
});
