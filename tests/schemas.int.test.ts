import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrations as ofCompile } from '@stanza/compile/migrations';
import { type ServiceName, schemaOf, serviceNames } from '@stanza/contracts';
import { entities as deliveryEntities } from '@stanza/delivery/entities';
import { migrations as ofDelivery } from '@stanza/delivery/migrations';
import { entities as gatewayEntities } from '@stanza/gateway/entities';
import { migrations as ofGateway } from '@stanza/gateway/migrations';
import { withClient } from '@stanza/local/database-client';
import { entities as organizationEntities } from '@stanza/organization/entities';
import { migrations as ofOrganization } from '@stanza/organization/migrations';
import { entities as queueEntities } from '@stanza/queue-ingest/entities';
import { migrations as ofQueues } from '@stanza/queue-ingest/migrations';
import {
  Baseline,
  createDataSource,
  erasableTables,
  fingerprintOf,
  type Migration,
  migrate,
  silentLogger,
} from '@stanza/runtime';
import { entities as templateEntities } from '@stanza/template/entities';
import { migrations as ofTemplates } from '@stanza/template/migrations';
import { type TestDatabase, testDatabase } from '@stanza/test-kit/database';
import type { EntitySchema } from 'typeorm';

interface Schema {
  entities: readonly EntitySchema[];
  migrations: readonly Migration[];
}

const schemas: Record<ServiceName, Schema> = {
  compile: { entities: [], migrations: ofCompile },
  delivery: { entities: deliveryEntities, migrations: ofDelivery },
  gateway: { entities: gatewayEntities, migrations: ofGateway },
  organization: { entities: organizationEntities, migrations: ofOrganization },
  'queue-ingest': { entities: queueEntities, migrations: ofQueues },
  template: { entities: templateEntities, migrations: ofTemplates },
};

/** Tables that no index leads through by organization, each with the reason why that does no harm. */
const unled: Partial<Record<ServiceName, Record<string, string>>> = {
  gateway: { unconfirmed_answers: 'Rows live until their charge is confirmed, mostly for milliseconds.' },
  organization: { provisional_charges: 'Rows live until they are confirmed, mostly for milliseconds.' },
  'queue-ingest': {
    event_pushes: 'Events are erased by their batches.',
    events: 'Events are erased by their batches.',
  },
};

/** Tables in which requests leave dead rows; the others are vacuumed when a fifth of them is dead. */
const hot: Partial<Record<ServiceName, string[]>> = {
  delivery: [
    'channel_slots',
    'deferred_sends',
    'deliveries',
    'inbox',
    'message_states',
    'messages',
    'method_slots',
    'outbox',
    'withdrawn_operations',
  ],
  gateway: ['idempotency_records', 'inbox', 'outbox', 'unconfirmed_answers'],
  organization: ['credit_accounts', 'inbox', 'outbox', 'provisional_charges', 'reservations', 'settlements'],
  'queue-ingest': ['batches', 'daily_events', 'event_keys', 'inbox', 'outbox', 'pushes'],
  template: ['inbox', 'outbox'],
};

const sourceOf = async (service: ServiceName, url: string, { entities, migrations }: Schema) => {
  const source = createDataSource({
    url,
    schema: schemaOf(service),
    entities: [...entities],
    migrations: [...migrations],
    pool: 1,
    session: {},
    applicationName: 'test',
    log: silentLogger(),
  });
  return source.initialize();
};

describe.each(serviceNames.filter((name) => schemas[name].migrations.length > 0))(
  'the schema of %s',
  (service) => {
    const schema = schemas[service];
    let made: TestDatabase;

    beforeAll(async () => {
      made = await testDatabase(service);
    });
    afterAll(() => made.drop());

    it('is what the entities say', async () => {
      const source = await sourceOf(service, made.ownerUrl, schema);
      try {
        const { upQueries } = await source.driver.createSchemaBuilder().log();
        expect(upQueries.map((it) => it.query)).toEqual([]);
      } finally {
        await source.destroy();
      }
    });

    it('vacuums tables in which requests leave dead rows before a fifth of them is dead', async () => {
      const source = await sourceOf(service, made.ownerUrl, { ...schema, entities: [] });
      try {
        const eager = await source.query<{ name: string }[]>(
          `select relname as name
           from pg_class
           where relnamespace = current_schema()::regnamespace
             and array_to_string(reloptions, ' ') like '%autovacuum_vacuum_scale_factor=0%'
           order by relname`,
        );
        expect(eager.map((it) => it.name)).toEqual(expect.arrayContaining(hot[service] ?? []));
      } finally {
        await source.destroy();
      }
    });

    it('has row-level security on each table with rows of organizations', async () => {
      const source = await sourceOf(service, made.ownerUrl, { ...schema, entities: [] });
      try {
        const open = await source.query<{ name: string }[]>(
          `select relation.relname as name
           from pg_class as relation
           join pg_attribute as attribute on attribute.attrelid = relation.oid
           where relation.relnamespace = $1::regnamespace
             and relation.relkind in ('r', 'p')
             and attribute.attname = 'organization_id'
             and not attribute.attisdropped
             and not (relation.relrowsecurity and exists (
               select from pg_policy where polrelid = relation.oid and polname = 'tenant'
             ))`,
          [schemaOf(service)],
        );
        expect(open).toEqual([]);
      } finally {
        await source.destroy();
      }
    });

    it('lets the rows of an organization be erased without reading those of all others', async () => {
      const tables = await erasableTables(made.database);
      expect(tables.filter((it) => !it.is_led).map((it) => it.name)).toEqual(
        Object.keys(unled[service] ?? {}),
      );
    });

    it('comes of migrations that may be run again', async () => {
      const name = schemaOf(service);
      const options = { url: made.ownerUrl, schema: name, serviceRole: `stanza_${name}` };
      const again = await migrate({ ...options, migrations: [...schema.migrations], log: silentLogger() });
      expect(again).toEqual([]);
    });

    it('goes away with the migrations that made it, down to its baseline', async () => {
      const other = await testDatabase(service);
      try {
        const source = await sourceOf(service, other.ownerUrl, { ...schema, entities: [] });
        for (const _ of schema.migrations.slice(1)) await source.undoLastMigration();
        const baseline = schema.migrations.map((make) => new make()).find((it) => it instanceof Baseline);
        const made = await withClient(other.ownerUrl, (client) => fingerprintOf(client, schemaOf(service)));
        expect(made).toBe(baseline?.fingerprint);
        await source.undoLastMigration();
        const tables = await source.query('select tablename from pg_tables where schemaname = $1', [
          schemaOf(service),
        ]);
        await source.destroy();
        expect(tables).toEqual([{ tablename: 'migrations' }]);
      } finally {
        await other.drop();
      }
    });
  },
);
