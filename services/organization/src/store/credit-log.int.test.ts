import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { asOwner } from '@stanza/test-kit/service-world';
import { found, openWorld, type World } from '../testing/world.ts';

const organizations = 40;
const rowsOfEach = 1_000;

describe('a large ledger', () => {
  let world: World;
  let id: string;

  beforeAll(async () => {
    world = await openWorld();
    id = (await found(world)).id;
    // The first of many organizations is the queried one.
    await world.rows(
      `insert into credit_log (id, organization_id, kind, amount, operation_id, operation, template_id, actor_id,
         created_at)
       select uuidv7(), case when number % $2 = 0 then $1::uuid else md5((number % $2)::text)::uuid end, 'charge', -1,
         uuidv7(), 'compile', md5((number % 50)::text)::uuid, 'key-' || number % 20,
         timestamptz '2026-11-21T00:00:00Z' - number * interval '2 minutes'
       from generate_series(1, $3::int) as number`,
      [id, organizations, organizations * rowsOfEach],
    );
    await asOwner('organization', world.ownerUrl, (owner) => owner.query('vacuum analyze credit_log'));
  });
  afterAll(() => world.close());

  const planOf = async (sql: string): Promise<string> => {
    const rows = await world.rows<{ 'QUERY PLAN': string }>(`explain ${sql}`);
    return rows.map((it) => it['QUERY PLAN']).join('\n');
  };
  const inLastMonth = "created_at >= '2026-10-21' and created_at < '2026-11-22' and amount <> 0";

  it.each([
    ['day', "to_char(created_at at time zone 'UTC', 'YYYY-MM-DD')"],
    ['operation', 'operation'],
    ['template', 'template_id::text'],
    ['key', 'actor_id'],
  ])('is grouped by %s from its index alone', async (_, expression) => {
    const plan = await planOf(
      `select ${expression}, count(*) filter (where kind = 'charge'), sum(amount)
       from credit_log
       where organization_id = '${id}' and ${inLastMonth} and kind in ('charge', 'reversal')
       group by 1`,
    );
    expect(plan).toContain('Index Only Scan using credit_log_newest');
  });

  const afterCursor = `(created_at, id) < ('2026-11-10', 'ffffffff-ffff-ffff-ffff-ffffffffffff')`;

  it.each([
    "template_id = md5('7')::uuid",
    "actor_id = 'key-3'",
    "operation = 'compile'",
    inLastMonth,
    afterCursor,
  ])('is listed newest first from its index alone where %s', async (filter) => {
    const plan = await planOf(
      `select created_at, id
         from credit_log
         where organization_id = '${id}' and amount <> 0 and ${filter}
         order by created_at desc, id desc
         limit 20`,
    );
    expect(plan).toContain('Index Only Scan Backward using credit_log_newest');
  });

  it('is looked up by operation through the unique constraint of charges', async () => {
    const plan = await planOf(
      `select id from credit_log where organization_id = '${id}' and operation_id = any (array['${id}'::uuid]) and item = 0`,
    );
    expect(plan).toContain('credit_log_once');
  });
});
