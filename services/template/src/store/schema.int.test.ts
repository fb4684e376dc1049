import { beforeAll, describe, expect, it } from '@jest/globals';
import { asOwner, planOf } from '@stanza/test-kit/service-world';
import { sharedByTests } from '@stanza/test-kit/shared';
import { openWorld } from '../testing/world.ts';
import { searchedText } from './migrations/1800390000000-baseline.ts';

const owner = "('01938c2e-7b1a-7c3d-9e4f-00000000000' || n % 5)::uuid, 'production', gen_random_uuid()";

/** The largest organization. */
const large = "'01938c2e-7b1a-7c3d-9e4f-000000000009'::uuid";

const manyRows = [
  // Rows of this number need no keys, and making one takes longer than all else of a row.
  ...['templates', 'entities', 'modals'].map((it) => `alter table ${it} disable trigger ${it}_key`),
  `insert into templates (organization_id, environment, id, operation_id, name, type, last_version_number,
     created_by, created_at, updated_at)
   select ${owner}, gen_random_uuid(), 'Template ' || n, 'message', 1, 'ada',
     now() - n * interval '1 minute', now() - n * interval '1 hour'
   from generate_series(1, 1500) as n`,
  `insert into versions (organization_id, environment, id, template_id, operation_id, version_number, blocks,
     request_format, created_by, created_at)
   select organization_id, environment, gen_random_uuid(), id, gen_random_uuid(), n, '[]', '{}', 'ada', now()
   from templates, generate_series(1, 3) as n`,
  `insert into activations (organization_id, environment, id, template_id, operation_id, activation_number,
     version_id, version_number, activated_by, source, created_at)
   select organization_id, environment, gen_random_uuid(), template_id, gen_random_uuid(), version_number,
     id, version_number, 'ada', 'api', now()
   from versions`,
  `insert into entities (organization_id, environment, id, operation_id, name, description, created_by, created_at,
     updated_at)
   select organization_id, environment, gen_random_uuid(), gen_random_uuid(), 'Entity ' || n, 'What is it? ' || n,
     'ada', created_at, updated_at
   from (select *, row_number() over () as n from templates) as templates`,
  `insert into entity_fields (organization_id, environment, id, operation_id, entity_id, name, type, required,
     created_at, updated_at)
   select organization_id, environment, gen_random_uuid(), gen_random_uuid(), id, 'field_' || n, 'string', false,
     created_at, updated_at
   from entities, generate_series(1, 3) as n`,
  `insert into sample_data (organization_id, environment, id, operation_id, name, data, template_id, entity_id,
     created_by, created_at, updated_at)
   select organization_id, environment, gen_random_uuid(), gen_random_uuid(), name, '{}', null, id, 'ada',
     created_at, updated_at
   from entities`,
  `insert into modals (organization_id, environment, id, operation_id, name, title, last_version_number,
     created_by, created_at, updated_at)
   select organization_id, environment, gen_random_uuid(), gen_random_uuid(), name, 'Title', 1, 'ada',
     created_at, updated_at
   from entities`,
  `insert into modal_versions (organization_id, environment, id, modal_id, operation_id, version_number, blocks,
     status, created_by, created_at, updated_at)
   select organization_id, environment, gen_random_uuid(), id, gen_random_uuid(), n, '[]', 'draft', 'ada', now(), now()
   from modals, generate_series(1, 3) as n`,
  `insert into modal_references (organization_id, environment, version_id, modal_id, template_id)
   select organization_id, environment, id, gen_random_uuid(), template_id
   from versions`,
  // With few rows, a sequential scan is as fast as an index.
  `insert into templates (organization_id, environment, id, operation_id, name, type, last_version_number,
     created_by, created_at, updated_at)
   select ${large}, 'production', gen_random_uuid(), gen_random_uuid(), 'Template ' || n, 'message', 1, 'ada', now(), now()
   from generate_series(1, 6000) as n`,
  `insert into entities (organization_id, environment, id, operation_id, name, created_by, created_at, updated_at)
   select ${large}, 'production', gen_random_uuid(), gen_random_uuid(), 'Large ' || n, 'ada', now(), now()
   from generate_series(1, 6000) as n`,
  // GIN indexes keep new words in a pending list until a vacuum, and the planner charges for that list.
  `vacuum (analyze) templates, versions, activations, entities, entity_fields, sample_data, modals, modal_versions,
     modal_references`,
];

describe('the schema', () => {
  const world = sharedByTests(openWorld);

  describe('is read through an index', () => {
    const uuid = "'01938c2e-7b1a-7c3d-9e4f-000000000001'::uuid";
    const tenant = `organization_id = ${uuid} and environment = 'production'`;

    /** Thousands of rows of a few tenants, with up-to-date statistics. */
    beforeAll(async () => {
      await asOwner('template', world().ownerUrl, async (owner) => {
        for (const sql of manyRows) await owner.query(sql);
      });
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
      ['entities_pkey', `select * from entities where ${tenant} and id = ${uuid}`],
      ['entities_operation', `select * from entities where ${tenant} and operation_id = ${uuid}`],
      [
        'entities_created_at',
        `select * from entities where ${tenant} order by created_at desc, id desc limit 20`,
      ],
      ['entities_updated_at', `select * from entities where ${tenant} order by updated_at, id limit 20`],
      [
        'entities_name',
        `select * from entities where ${tenant} order by lower(name collate "und-x-icu") limit 20`,
      ],
      ['entity_fields_name', `select * from entity_fields where ${tenant} and entity_id = ${uuid}`],
      ['entity_fields_parent', `select 1 from entity_fields where ${tenant} and parent_field_id = ${uuid}`],
      ['sample_data_pkey', `select * from sample_data where ${tenant} and id = ${uuid}`],
      [
        'sample_data_created_at',
        `select * from sample_data where ${tenant} order by created_at desc, id desc limit 20`,
      ],
      [
        'sample_data_template',
        `select * from sample_data where ${tenant} and template_id = ${uuid} order by created_at, id limit 20`,
      ],
      [
        'sample_data_entity',
        `select * from sample_data where ${tenant} and entity_id = ${uuid} order by created_at, id limit 20`,
      ],
      ['modals_pkey', `select * from modals where ${tenant} and id = ${uuid}`],
      ['modals_operation', `select * from modals where ${tenant} and operation_id = ${uuid}`],
      [
        'modals_created_at',
        `select * from modals where ${tenant} order by created_at desc, id desc limit 20`,
      ],
      ['modals_updated_at', `select * from modals where ${tenant} order by updated_at, id limit 20`],
      [
        'modals_name',
        `select * from modals where ${tenant} order by lower(name collate "und-x-icu"), id limit 20`,
      ],
      ['modal_versions_pkey', `select * from modal_versions where ${tenant} and id = ${uuid}`],
      ['modal_versions_operation', `select * from modal_versions where ${tenant} and operation_id = ${uuid}`],
      [
        'modal_versions_number',
        `select * from modal_versions where ${tenant} and modal_id = ${uuid} order by version_number desc limit 20`,
      ],
      [
        'modal_versions_active',
        `update modal_versions set status = 'inactive' where ${tenant} and modal_id = ${uuid} and status = 'active'`,
      ],
      [
        'modal_references_modal',
        `select template_id from modal_references where ${tenant} and modal_id = ${uuid}`,
      ],
      ['versions_entity', `select count(*) from versions where ${tenant} and entity_id = ${uuid}`],
      ...['versions', 'sample_data', 'modal_versions'].map((table) => [
        `${table}_bytes`,
        `select sum(bytes) from ${table} where organization_id = ${uuid}`,
      ]),
    ])('%s', async (index, sql) => {
      const plan = await planOf(world().database, sql);
      expect(plan).toContain(index);
      expect(plan).not.toMatch(/Seq Scan|Sort/);
    });

    // The search functions run as the owner of the tables.
    it.each(['templates', 'entities'])('%s_search', async (table) => {
      const explained = `explain select * from ${table} where organization_id = ${large} and environment = 'production'
        and (${searchedText} like '%plate 4711%' or ${searchedText} %> 'plate 4711')`;
      const lines: { 'QUERY PLAN': string }[] = await asOwner('template', world().ownerUrl, (owner) =>
        owner.query(explained),
      );
      const plan = lines.map((it) => it['QUERY PLAN']).join('\n');
      expect(plan).toMatch(new RegExp(`${table}_search.*Index Cond: .*%> 'plate 4711'`, 's'));
      expect(plan).not.toMatch(/Seq Scan|Sort/);
    });
  });
});
