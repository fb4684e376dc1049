import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDataSource, migrate, silentLogger } from '@stanza/runtime';
import { openWorld, type World } from '../testing/world.ts';
import { entities } from './entities.ts';
import { migrations } from './migrations/index.ts';

const owner = "('01938c2e-7b1a-7c3d-9e4f-00000000000' || n % 5)::uuid, 'production', gen_random_uuid()";

const manyRows = [
  `insert into templates (organization_id, environment, id, operation_id, name, type, last_version_number,
     created_by, created_at, updated_at)
   select ${owner}, gen_random_uuid(), 'Template ' || n, 'message', 1, 'ada',
     now() - n * interval '1 minute', now() - n * interval '1 hour'
   from generate_series(1, 5000) as n`,
  `insert into versions (organization_id, environment, id, template_id, operation_id, version_number, blocks,
     request_format, created_by, created_at)
   select organization_id, environment, gen_random_uuid(), id, gen_random_uuid(), n, '[]', '{}', 'ada', now()
   from templates, generate_series(1, 3) as n`,
  `insert into activations (organization_id, environment, id, template_id, operation_id, activation_number,
     version_id, version_number, activated_by, source, created_at)
   select organization_id, environment, gen_random_uuid(), template_id, gen_random_uuid(), version_number,
     id, version_number, 'ada', 'api', now()
   from versions`,
  'analyze',
];

describe('the schema', () => {
  let world: World;

  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  const ownerSource = (url: string) =>
    createDataSource({
      url,
      schema: 'template',
      entities,
      migrations,
      pool: 1,
      session: {},
      applicationName: 'test',
      log: silentLogger(),
    });

  it('is what the entities say', async () => {
    const source = ownerSource(world.ownerUrl);
    await source.initialize();
    try {
      const { upQueries } = await source.driver.createSchemaBuilder().log();
      expect(upQueries.map((it) => it.query)).toEqual([]);
    } finally {
      await source.destroy();
    }
  });

  it('comes of migrations that may be run again', async () => {
    const options = { url: world.ownerUrl, schema: 'template', serviceRole: 'stanza_template' };
    expect(await migrate({ ...options, migrations, log: silentLogger() })).toEqual([]);
  });

  it('goes away with the migrations that made it', async () => {
    const other = await openWorld();
    try {
      const source = ownerSource(other.ownerUrl);
      await source.initialize();
      for (const _ of migrations) await source.undoLastMigration();
      const tables = await source.query("select tablename from pg_tables where schemaname = 'template'");
      await source.destroy();
      expect(tables).toEqual([{ tablename: 'migrations' }]);
    } finally {
      await other.close();
    }
  });

  describe('is read through an index', () => {
    const uuid = "'01938c2e-7b1a-7c3d-9e4f-000000000001'::uuid";
    const tenant = `organization_id = ${uuid} and environment = 'production'`;

    /** Thousands of rows of a few tenants, with the statistics that the planner would have of them. */
    beforeAll(async () => {
      const source = ownerSource(world.ownerUrl);
      await source.initialize();
      for (const sql of manyRows) await source.query(sql);
      await source.destroy();
    });

    /** With sequential scans made dear, what is left of them has no index to use. */
    const planOf = (sql: string): Promise<string> =>
      world.database.transaction(async ({ orm }) => {
        await orm.query('set local enable_seqscan = off');
        const lines = await orm.query<{ 'QUERY PLAN': string }[]>(`explain ${sql}`);
        return lines.map((it) => it['QUERY PLAN']).join('\n');
      });

    it.each([
      [
        'templates_pkey',
        `select * from unnest(array[${uuid}], array['production'], array[${uuid}])
           as asked (organization_id, environment, template_id)
         left join templates as template
           on template.organization_id = asked.organization_id
           and template.environment = asked.environment
           and template.id = asked.template_id`,
      ],
      ['versions_pkey', `select blocks from versions where ${tenant} and id = ${uuid}`],
      ['templates_operation', `select * from templates where ${tenant} and operation_id = ${uuid}`],
      ['versions_operation', `select * from versions where ${tenant} and operation_id = ${uuid}`],
      ['activations_operation', `select 1 from activations where ${tenant} and operation_id = ${uuid}`],
      [
        'templates_created_at',
        `select * from templates where ${tenant} order by created_at desc, id desc limit 20`,
      ],
      ['templates_updated_at', `select * from templates where ${tenant} order by updated_at, id limit 20`],
      [
        'templates_name',
        `select * from templates where ${tenant} order by lower(name collate "und-x-icu"), id limit 20`,
      ],
      [
        'versions_number',
        `select * from versions where ${tenant} and template_id = ${uuid} order by version_number desc limit 20`,
      ],
      [
        'activations_number',
        `select * from activations where ${tenant} and template_id = ${uuid} order by activation_number desc limit 20`,
      ],
    ])('%s', async (index, sql) => {
      const plan = await planOf(sql);
      expect(plan).toContain(index);
      expect(plan).not.toMatch(/Seq Scan|Sort/);
    });
  });
});
