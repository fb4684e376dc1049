import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Database } from '../database/database.ts';
import { deletedAtOnce } from '../database/in-batches.ts';
import { connectTo, provisionSchema, startTestPostgres, type TestPostgres } from '../testing/postgres.ts';
import { forgetConsumed } from './housekeeping.ts';

describe('work that was done long ago', () => {
  let postgres: TestPostgres;
  let database: Database;

  beforeAll(async () => {
    postgres = await startTestPostgres();
    database = await connectTo(await provisionSchema(postgres.url, 'organization'), 'organization');
  });
  afterAll(async () => {
    await database.close();
    await postgres.close();
  });

  const consumed = (rows: number, ago: string): Promise<unknown> =>
    database.orm.query(
      `insert into inbox (message_id, consumed_at)
       select gen_random_uuid(), now() - $2::interval
       from generate_series(1, $1)`,
      [rows, ago],
    );

  it('is forgotten in one sweep, however much of it there is, and what may come again is kept', async () => {
    const old = 2 * deletedAtOnce + 1;
    await consumed(old, '15 days');
    await consumed(3, '13 days');
    expect(await forgetConsumed(database)).toBe(old);
    expect(await database.orm.query('select count(*)::int as kept from inbox')).toEqual([{ kept: 3 }]);
  });
});
