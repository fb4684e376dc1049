import { schemaOf, serviceNames } from '@stanza/contracts';
import { type Client, escapeIdentifier, escapeLiteral } from 'pg';
import { withClient } from './database-client.ts';
import { StackFailure } from './failure.ts';

/** The role that owns every schema and table, and that migrations run under. */
export const migratorRole = 'stanza_migrator';

/** The schema of the extensions that several services use. */
export const extensionSchema = 'extensions';

/** The login role of a service; it reaches its own schema and owns nothing. */
export const serviceRole = (schema: string): string => `stanza_${schema}`;

const schemas: readonly string[] = serviceNames.map(schemaOf);

/** Every role that the stack creates. */
export const databaseRoles: readonly string[] = [migratorRole, ...schemas.map(serviceRole)];

/**
 * Reads the address of a database.
 * @throws StackFailure where the client of Postgres would ask another host or another database than was meant
 */
export const databaseAddress = (text: string): URL => {
  const trimmed = text.trim();
  const url = URL.canParse(trimmed) ? new URL(trimmed) : undefined;
  if (url && /^postgres(ql)?:$/.test(url.protocol) && url.pathname.length > 1) return url;
  throw new StackFailure(
    'The address names no database of Postgres.',
    'Write it as postgres://user:password@host:5432/database, with / # ? and % of a password as %2F %23 %3F and %25.',
  );
};

/** The address of the same database for another user. */
export const urlFor = (databaseUrl: string, user: string, password: string): string => {
  const url = databaseAddress(databaseUrl);
  url.username = encodeURIComponent(user);
  url.password = encodeURIComponent(password);
  return url.href;
};

/** How long a start waits for another one, and for locks of what runs. */
const lockTimeout = '60s';

/**
 * Creates one login role and schema for each service, and the migrator that owns them. Safe to repeat. `url` is the
 * address of the database for a user who may create roles.
 */
export const provision = (url: string, passwords: Record<string, string>): Promise<void> =>
  withClient(url, async (client) => {
    await checkRights(client);
    // Two starts against one server must not create the same role at the same moment.
    await client.query(`set lock_timeout = '${lockTimeout}'`);
    await client.query("select pg_advisory_lock(hashtext('stanza provision'))");
    await client.query(databaseRoles.map((role) => roleSql(role, passwords[role] ?? '')).join(''));
    await provisionDatabase(client);
  });

/** The schemas, extension and rights of one database on a server whose roles exist. */
export const provisionDatabase = async (client: Client): Promise<void> => {
  const { rows } = await client.query<{ name: string }>('select current_database() as name');
  const database = escapeIdentifier(rows[0]?.name ?? '');
  const steps = [databaseSql(database), ...schemas.map((schema) => schemaSql(database, schema))];
  await client.query(`begin; ${steps.join('')} commit;`);
};

/** Locks that a session holds until it says otherwise, and shared memory without a table: no service needs them. */
const spared = [
  'pg_advisory_lock(bigint)',
  'pg_advisory_lock(integer, integer)',
  'pg_advisory_lock_shared(bigint)',
  'pg_advisory_lock_shared(integer, integer)',
  'pg_try_advisory_lock(bigint)',
  'pg_try_advisory_lock(integer, integer)',
  'pg_try_advisory_lock_shared(bigint)',
  'pg_try_advisory_lock_shared(integer, integer)',
  'lo_creat(integer)',
  'lo_create(oid)',
  'lo_from_bytea(oid, bytea)',
  'pg_notify(text, text)',
];

/** Functions belong to the superuser who made the database: for others Postgres warns, and all stays as it is. */
const functionsSql = `
  revoke execute on function ${spared.map((name) => `pg_catalog.${name}`).join(', ')} from public;
  grant execute on function pg_catalog.pg_try_advisory_lock(bigint) to ${migratorRole};
`;

/** Revokes the default rights of the role public; only for a database of Stanza alone. */
export const closeToPublic = (url: string): Promise<void> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string }>('select current_database() as name');
    const database = escapeIdentifier(rows[0]?.name ?? '');
    await client.query(`
      revoke all on database ${database} from public;
      revoke all on schema public from public;
      grant connect on database ${database} to ${databaseRoles.join(', ')};
      ${functionsSql}
    `);
  });

const checkRights = async (client: Client): Promise<void> => {
  const { rows } = await client.query<{ user: string; roles: boolean; schemas: boolean; version: string }>(`
    select current_user as user,
           rolsuper or rolcreaterole as roles,
           has_database_privilege(current_database(), 'create') as schemas,
           current_setting('server_version') as version
    from pg_roles
    where rolname = current_user
  `);
  const found = rows[0];
  const lacking = [found?.roles ? '' : 'CREATEROLE', found?.schemas ? '' : 'CREATE on the database'].filter(
    Boolean,
  );
  if (lacking.length === 0) return;
  throw new StackFailure(
    `The database user ${found?.user} lacks ${lacking.join(' and ')}.`,
    `As a superuser run: alter role ${found?.user} createrole; grant create on database … to ${found?.user}; or give DATABASE_URL a user who may.`,
  );
};

const roleSql = (role: string, password: string): string => `
  do $role$ begin
    create role ${role} login;
  exception when duplicate_object then null;
  end $role$;
  alter role ${role} login password ${escapeLiteral(password)};
  do $role$ begin
    -- Not implied for a user who may create roles without being superuser.
    if not pg_has_role(current_user, '${role}', 'set') then
      execute format('grant ${role} to %I', current_user);
    end if;
  end $role$;
`;

const databaseSql = (database: string): string => `
  grant create on database ${database} to ${migratorRole};
  create schema if not exists ${extensionSchema} authorization ${migratorRole};
  create extension if not exists pg_trgm with schema ${extensionSchema};
  create extension if not exists btree_gin with schema ${extensionSchema};
`;

/** The session settings of a service, set for the role as well: a pooler drops those of the connection. */
const sessionLimits = [
  ['statement_timeout', '10s'],
  ['lock_timeout', '4s'],
  ['idle_in_transaction_session_timeout', '10s'],
  ['transaction_timeout', '30s'],
] as const;

const schemaSql = (database: string, schema: string): string => {
  const role = serviceRole(schema);
  return `
    create schema if not exists ${schema} authorization ${migratorRole};
    alter role ${role} in database ${database} set search_path = ${schema}, ${extensionSchema};
    ${sessionLimits.map(([name, value]) => `alter role ${role} in database ${database} set ${name} = '${value}';`).join(' ')}
    grant usage on schema ${schema}, ${extensionSchema} to ${role};
    alter default privileges for role ${migratorRole} in schema ${schema}
      grant select, insert, update, delete on tables to ${role};
    alter default privileges for role ${migratorRole} in schema ${schema}
      grant usage, select on sequences to ${role};
  `;
};
