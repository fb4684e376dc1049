import { CodedError, type Environment } from '@stanza/contracts';
import type { QueryRunner } from 'typeorm';
import { InvariantError } from '../invariant.ts';
import type { Queryable } from './database.ts';
import { entityOf } from './entity.ts';
import { isUniqueViolation } from './faults.ts';
import { statement } from './statement.ts';
import { ofTenant, partOf, table, tenant, text, uuid } from './table.ts';
import type { Tenant } from './tenant.ts';

/** A kind of named thing whose rows have a key, unique in their environment: `template` for the table `templates`. */
export interface KeyedKind {
  /** One word, with which tables, constraints and statements begin. */
  kind: string;
  /** What has such a key, in messages: the kind unless given. */
  called?: string;
  /** The table of the things. It has the key columns of a tenant, and a column `name`. */
  table: string;
  /** The column with the time of a deletion, where rows are kept afterwards: such a row has no key. */
  deletedAt?: string;
}

const keysOf = ({ kind }: KeyedKind): string => `${kind}_keys`;

/**
 * The table of the keys of a kind. Keys have tables of their own, so that the previous version reads and writes as it did.
 */
export const keyTable = (named: KeyedKind) => {
  const keys = keysOf(named);
  return table(keys, {
    columns: { ...tenant, id: uuid(), key: text() },
    primaryKey: { name: `${keys}_pk`, columns: ofTenant('id') },
    uniques: [{ name: `${keys}_key`, columns: ofTenant('key') }],
    foreignKeys: [partOf(named.table, `${keys}_of`, 'id')],
  });
};

/** The entity of {@link keyTable}. */
export const keyEntity = (named: KeyedKind) => entityOf(keyTable(named));

/**
 * Gives a row its key, which is made from its name: lower-case letters, digits and hyphens, and a number from 2 on where
 * another row has it already. Two rows of one name that are made at once wait for each other and get two keys.
 */
const giveKey = `create function give_key(keys text, kind text, organization uuid, environment text, id uuid, name text)
   returns void
   language plpgsql security definer set search_path from current as $body$
   declare
     base text := trim(both '-' from left(trim(both '-' from regexp_replace(
       lower(regexp_replace(normalize(name, NFKD), '[\\u0300-\\u036f]', '', 'g') collate "und-x-icu"),
       '[^a-z0-9]+', '-', 'g'
     )), 88));
     number bigint := 1;
     given integer := 0;
   begin
     if base = '' then base := kind; end if;
     -- A key that looks like an id would be taken for one.
     if base ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then base := kind || '-' || base; end if;
     loop
       execute format(
         'insert into %I (organization_id, environment, id, key) values ($1, $2, $3, $4)
          on conflict on constraint %I do nothing',
         keys, keys || '_key'
       ) using organization, environment, id, base || case when number = 1 then '' else '-' || number end;
       get diagnostics given = row_count;
       exit when given = 1;
       -- Many of one name: the number after the highest, since each try looks at one.
       execute format(
         'select greatest($1, coalesce(max(substring(key from length($4) + 2)::bigint), 1)) + 1
          from %I
          where organization_id = $2 and environment = $3
            and left(key, length($4) + 1) = $4 || ''-''
            and substring(key from length($4) + 2) ~ ''^[1-9][0-9]{0,8}$''',
         keys
       ) into number using number, organization, environment, base;
     end loop;
   end $body$`;

const giveKeyOfRow = `create function give_key_of_row() returns trigger
   language plpgsql security definer set search_path from current as $body$
   begin
     perform give_key(tg_argv[0], tg_argv[1], new.organization_id, new.environment, new.id, new.name);
     return null;
   end $body$`;

const freeKeyOfRow = `create function free_key_of_row() returns trigger
   language plpgsql security definer set search_path from current as $body$
   begin
     execute format('delete from %I where organization_id = $1 and environment = $2 and id = $3', tg_argv[0])
       using new.organization_id, new.environment, new.id;
     return null;
   end $body$`;

/**
 * Creates the tables of keys of some kinds, gives those that are there a key, oldest first, and a trigger that does so for
 * new ones, those of the previous version included. Another one frees the key of a row that is kept after its deletion.
 */
export const createKeys = async (queryRunner: QueryRunner, kinds: readonly KeyedKind[]): Promise<void> => {
  await queryRunner.query(giveKey);
  await queryRunner.query(giveKeyOfRow);
  if (kinds.some(({ deletedAt }) => deletedAt !== undefined)) await queryRunner.query(freeKeyOfRow);
  for (const named of kinds) {
    const keys = keysOf(named);
    const { kind, table: of, deletedAt } = named;
    await queryRunner.query(
      `create table ${keys} (
         organization_id uuid not null,
         environment text not null,
         id uuid not null,
         key text not null,
         constraint ${keys}_pk primary key (organization_id, environment, id),
         constraint ${keys}_key unique (organization_id, environment, key),
         constraint ${keys}_of foreign key (organization_id, environment, id)
           references ${of} (organization_id, environment, id) on delete cascade
       )`,
    );
    await queryRunner.query(
      `create trigger ${of}_key after insert on ${of}
         for each row execute function give_key_of_row('${keys}', '${kind}')`,
    );
    if (deletedAt !== undefined) {
      await queryRunner.query(
        `create trigger ${of}_key_free after update of ${deletedAt} on ${of}
           for each row when (old.${deletedAt} is null and new.${deletedAt} is not null)
           execute function free_key_of_row('${keys}')`,
      );
    }
    await queryRunner.query(
      `select give_key('${keys}', '${kind}', organization_id, environment, id, name)
       from (
         select organization_id, environment, id, name
         from ${of}
         where ${deletedAt === undefined ? 'true' : `${deletedAt} is null`}
         order by created_at, id
       ) as oldest_first`,
    );
  }
};

/** A row with its key. */
export type Keyed<T> = T & { key: string };

/** Reads and changes the keys of a kind. */
export interface Keys {
  /** A row with its key. */
  withKey: <T extends { id: string }>(tenant: Tenant, db: Queryable, row: T) => Promise<Keyed<T>>;
  /** Rows with their keys, in their order. */
  withKeys: <T extends { id: string }>(
    tenant: Tenant,
    db: Queryable,
    rows: readonly T[],
  ) => Promise<Keyed<T>[]>;
  /** The id of what a key names. */
  idOf: (tenant: Tenant, db: Queryable, key: string) => Promise<string | undefined>;
  /**
   * Gives a row another key.
   * @throws CodedError `already_exists` when another row has it
   */
  change: (tenant: Tenant, db: Queryable, id: string, key: string) => Promise<void>;
  /**
   * What has the same keys in another environment of the organization; an id that names nothing is left out, and
   * `match` is null where nothing has the key.
   */
  matches: (
    tenant: Tenant,
    db: Queryable,
    to: Environment,
    ids: readonly string[],
  ) => Promise<{ id: string; key: string; match: string | null }[]>;
}

/** Makes the functions that read and change the keys of a kind. */
export const keysFor = (named: KeyedKind): Keys => {
  const { kind, called = kind } = named;
  const keys = keysOf(named);
  const owned = 'organization_id = $1 and environment = $2';
  const read = statement<{ id: string; key: string }>(
    `${kind}-keys`,
    `select id, key from ${keys} where ${owned} and id = any ($3::uuid[])`,
  );
  const find = statement<{ id: string }>(
    `${kind}-by-key`,
    `select id from ${keys} where ${owned} and key = $3`,
  );
  const match = statement<{ id: string; key: string; match: string | null }>(
    `${kind}-key-matches`,
    `select named.id, named.key, other.id as match
     from ${keys} as named
     left join ${keys} as other
       on other.organization_id = named.organization_id and other.environment = $4 and other.key = named.key
     where named.organization_id = $1 and named.environment = $2 and named.id = any ($3::uuid[])`,
  );
  const write = statement<object>(
    `${kind}-key-change`,
    `update ${keys} set key = $4 where ${owned} and id = $3`,
  );

  const withKeys: Keys['withKeys'] = async (tenant, db, rows) => {
    if (rows.length === 0) return [];
    const ids = rows.map((row) => row.id);
    const found = await db.query(read, [tenant.organizationId, tenant.environment, ids]);
    const byId = new Map(found.map(({ id, key }) => [id, key]));
    return rows.map((row) => {
      const key = byId.get(row.id);
      if (key === undefined) throw new InvariantError(`the ${kind} ${row.id} has no key`);
      return { ...row, key };
    });
  };
  return {
    withKeys,
    withKey: async (tenant, db, row) => {
      const [keyed] = await withKeys(tenant, db, [row]);
      if (!keyed) throw new InvariantError(`the ${kind} ${row.id} has no key`);
      return keyed;
    },
    idOf: async (tenant, db, key) => {
      const [found] = await db.query(find, [tenant.organizationId, tenant.environment, key]);
      return found?.id;
    },
    change: async (tenant, db, id, key) => {
      try {
        await db.query(write, [tenant.organizationId, tenant.environment, id, key]);
      } catch (error) {
        if (!isUniqueViolation(error, `${keys}_key`)) throw error;
        throw new CodedError('already_exists', {
          message: `Another ${called} of the environment has the key "${key}"; choose another one.`,
        });
      }
    },
    matches: async (tenant, db, to, ids) =>
      ids.length === 0 ? [] : db.query(match, [tenant.organizationId, tenant.environment, ids, to]),
  };
};

/**
 * What a filter by an id, by a key, or by both asks for.
 * @param found what the key names: the id, null or undefined for nothing; not looked at without a key
 * @returns undefined where nothing is filtered, null where nothing can match
 */
export const filteredId = (
  { id, key }: { id: string | undefined; key: string | undefined },
  found: string | null | undefined,
): string | null | undefined => {
  if (key === undefined) return id;
  return found && (id === undefined || id.toLowerCase() === found) ? found : null;
};
