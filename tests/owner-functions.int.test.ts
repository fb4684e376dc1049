import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ServiceName, schemaOf } from '@stanza/contracts';
import { withClient } from '@stanza/local/database-client';
import { type TestDatabase, testDatabase } from '@stanza/test-kit/database';

/** What a role puts in the place of tables where it may make temporary ones: whoever writes or reads them tells who it is. */
const bait = `
  create temp table told (who text);
  grant all on told to public;
  create function pg_temp.tell() returns trigger language plpgsql as $$
    begin insert into pg_temp.told values (current_user); return new; end $$;
  create function pg_temp.read() returns boolean language plpgsql as $$
    begin insert into pg_temp.told values (current_user); return false; end $$;
  create temp view events_29990101 as select where pg_temp.read();
  grant all on events_29990101 to public;
`;

const keyTable = (name: string): string => `
  create temp table ${name} (organization_id uuid, environment text, id uuid, key text,
    constraint ${name}_key unique (organization_id, environment, key));
  grant all on ${name} to public;
  create trigger told before insert or delete on ${name} for each row execute function pg_temp.tell();
`;

const giveKey = "select give_key('bait', 'x', uuidv7(), 'production', uuidv7(), 'n')";
const byTrigger = `create temp table made (organization_id uuid, environment text, id uuid, name text);
  create trigger key after insert on made for each row execute function give_key_of_row('bait', 'x');
  insert into made values (uuidv7(), 'production', uuidv7(), 'n')`;

const attacks: [ServiceName, string, string][] = [
  ['template', 'names a table of its own for keys', giveKey],
  ['template', 'makes a trigger that gives keys', byTrigger],
  ['delivery', 'names a table of its own for keys', giveKey],
  ['queue-ingest', 'names a table of its own for keys', giveKey],
  ['queue-ingest', 'drops a partition of its own', "select drop_day_partition('events', '2999-01-01')"],
  ['queue-ingest', 'drops one by the former way', "select try_drop_event_partition('2999-01-01')"],
];

describe('functions with the rights of the owner', () => {
  const services = ['delivery', 'organization', 'queue-ingest', 'template'] as const;
  const databases = new Map<ServiceName, TestDatabase>();
  const of = (service: ServiceName): TestDatabase => {
    const made = databases.get(service);
    if (!made) throw new Error(`there is no database of ${service}`);
    return made;
  };

  beforeAll(async () => {
    for (const service of services) databases.set(service, await testDatabase(service));
    // As in a database that is shared with others, where everybody may make temporary tables.
    for (const { ownerUrl } of databases.values())
      await withClient(ownerUrl, (client) =>
        client.query(
          `do $$ begin execute format('grant temporary on database %I to public', current_database()); end $$`,
        ),
      );
  });
  afterAll(async () => {
    for (const made of databases.values()) await made.drop();
  });

  it.each(services)('of %s look among temporary tables and types last', async (service) => {
    const { rows } = await withClient(of(service).ownerUrl, (client) =>
      client.query(
        `select proname from pg_proc
         where pronamespace = $1::regnamespace and prosecdef
           and not exists (select from unnest(proconfig) as setting where setting ~ '^search_path=.*, pg_temp$')`,
        [schemaOf(service)],
      ),
    );
    expect(rows).toEqual([]);
  });

  it.each(attacks)('of %s do nothing for its role that %s', async (service, _, attack) => {
    await withClient(of(service).url, async (client) => {
      await client.query(`set search_path = ${schemaOf(service)}, extensions`);
      await client.query(bait + keyTable('bait'));
      await client.query(attack).catch((error: unknown) => {
        expect(String(error)).toContain('permission denied');
      });
      const { rows } = await client.query('select who from told where who <> current_user');
      expect(rows).toEqual([]);
    });
  });

  it('that triggers call give each new row a key in the table of the schema', async () => {
    await withClient(of('template').url, async (client) => {
      await client.query('set search_path = template, extensions');
      await client.query(bait + keyTable('entity_keys'));
      await client.query(
        `insert into template.entities (organization_id, environment, id, operation_id, name, created_by, created_at, updated_at)
         values (uuidv7(), 'production', uuidv7(), uuidv7(), 'Deploy', 'ada', now(), now())`,
      );
      expect((await client.query('select key from template.entity_keys')).rows).toEqual([{ key: 'deploy' }]);
      expect((await client.query('select who from told')).rows).toEqual([]);
    });
  });
});
