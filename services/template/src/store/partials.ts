import type { Page } from '@stanza/contracts';
import type { NamedPartial } from '@stanza/engine';
import { limits } from '@stanza/engine';
import { type Queryable, statement, type Tenant, type Transaction } from '@stanza/runtime';
import { authorsOf } from '../domain/author.ts';
import type { PartialRow, UserRow } from '../domain/partials.ts';
import type { VersionRow } from '../domain/tables.ts';

const versions = statement<Omit<PartialRow, keyof NamedPartial>>(
  'partial-versions',
  `select
     partial.id as partial_id,
     partial.archived_at is not null as archived,
     partial.current_version_id is not null as is_live,
     version.version_number,
     version.blocks
   from unnest($3::text[], $4::integer[]) with ordinality as asked (key, version, place)
   left join template_keys as named
     on named.organization_id = $1
     and named.environment = $2
     and named.key = asked.key
   left join templates as partial
     on partial.organization_id = $1
     and partial.environment = $2
     and partial.id = named.id
     and partial.kind = 'partial'
   left join versions as version
     on version.organization_id = $1
     and version.environment = $2
     and version.template_id = partial.id
     and version.version_number = coalesce(asked.version, partial.current_version_number)
   order by asked.place`,
);

/** Partials that are read at once; each may be as large as all that blocks may hold. */
const atOnce = 20;

/**
 * Reads the versions of partials that blocks name, in the order in which they do. Those behind what fits into one
 * template are left out: each is used once at least, so the blocks are refused before them.
 */
export const findPartials = async (
  { organizationId, environment }: Tenant,
  db: Queryable,
  named: readonly NamedPartial[],
): Promise<PartialRow[]> => {
  const found: PartialRow[] = [];
  let characters = 0;
  for (let at = 0; at < named.length && characters <= limits['partial.bytes'].max; at += atOnce) {
    const asked = named.slice(at, at + atOnce);
    const [keys, numbers] = [asked.map(({ key }) => key), asked.map(({ version }) => version ?? null)];
    const rows = await db.query(versions, [organizationId, environment, keys, numbers]);
    for (const [place, row] of rows.entries()) {
      const one = asked[place];
      if (one) found.push({ ...one, ...row });
      characters += row.blocks === null ? 0 : JSON.stringify(row.blocks).length;
    }
  }
  return found;
};

const unreviewed = statement<Pick<VersionRow, 'created_by' | 'authors'>>(
  'partial-uses-never-live',
  `select held.created_by, held.authors
   from partial_uses as used
   join versions as held
     on held.organization_id = used.organization_id
     and held.environment = used.environment
     and held.template_id = used.partial_id
     and held.version_number = used.partial_version
   where used.organization_id = $1
     and used.environment = $2
     and used.version_id = $3
     and held.first_live_at is null`,
);

/**
 * Who has written what a version holds of partials, in versions that were never live: nobody has looked at these before
 * they become live as parts of it.
 */
export const authorsOfUnreviewed = async (
  { organizationId, environment }: Tenant,
  db: Queryable,
  versionId: string,
): Promise<string[]> =>
  (await db.query(unreviewed, [organizationId, environment, versionId])).flatMap(authorsOf);

// One that is being deleted is waited for, and left out then: the foreign key would fail the statement.
const insertUses = statement<{ partial_id: string }>(
  'partial-uses-insert',
  `insert into partial_uses (
     organization_id, environment, version_id, template_id, partial_id, partial_version
   )
   select $1, $2, $3, $4, named.id, asked.version
   from unnest($5::text[], $6::integer[]) as asked (key, version)
   join template_keys as named
     on named.organization_id = $1
     and named.environment = $2
     and named.key = asked.key
   join templates as partial
     on partial.organization_id = $1
     and partial.environment = $2
     and partial.id = named.id
     and partial.kind = 'partial'
   for key share of partial
   returning partial_id`,
);

/**
 * Stores which versions of partials a new version holds.
 * @returns whether all partials are there; one that is deleted in the meantime is not
 */
export const notePartials = async (
  { organizationId, environment }: Tenant,
  tx: Transaction,
  { id, template_id }: { id: string; template_id: string },
  held: readonly NamedPartial[],
): Promise<boolean> => {
  if (held.length === 0) return true;
  const [keys, numbers] = [held.map(({ key }) => key), held.map(({ version }) => version ?? null)];
  const asked = [organizationId, environment, id, template_id, keys, numbers];
  return (await tx.query(insertUses, asked)).length === held.length;
};

const holders = statement<{ id: string }>(
  'partial-uses-of-template',
  `select held.id
   from partial_uses as used
   join versions as held
     on held.organization_id = used.organization_id
     and held.environment = used.environment
     and held.id = used.version_id
   join template_keys as named
     on named.organization_id = used.organization_id
     and named.environment = used.environment
     and named.id = used.partial_id
   where used.organization_id = $1
     and used.environment = $2
     and used.template_id = $3
     and named.key = $4
     and used.partial_version = $5
   order by held.version_number desc`,
);

/** The versions of a template that hold a version of a partial, newest first. */
export const versionsHolding = async (
  { organizationId, environment }: Tenant,
  db: Queryable,
  templateId: string,
  { key, version }: { key: string; version: number },
): Promise<string[]> =>
  (await db.query(holders, [organizationId, environment, templateId, key, version])).map(({ id }) => id);

const holding = (version: string): string => `json_build_object(
       'version_id', ${version}.id,
       'version_number', ${version}.version_number,
       'partial_versions', (
         select coalesce(json_agg(partial_version order by partial_version), '[]')
         from partial_uses
         where organization_id = $1 and environment = $2 and version_id = ${version}.id and partial_id = $3
       )
     )`;

const users = statement<UserRow>(
  'partial-users',
  `select
     template.kind,
     template.id,
     named.key,
     template.name,
     case when live.id is null then null else ${holding('live')} end as live,
     ${holding('newest')} as newest,
     template.archived_at is not null as is_archived,
     count(*) over () as total
   from templates as template
   join template_keys as named
     on named.organization_id = template.organization_id
     and named.environment = template.environment
     and named.id = template.id
   join versions as newest
     on newest.organization_id = template.organization_id
     and newest.environment = template.environment
     and newest.template_id = template.id
     and newest.version_number = template.last_version_number
   left join versions as live
     on live.organization_id = template.organization_id
     and live.environment = template.environment
     and live.id = template.current_version_id
   where template.organization_id = $1
     and template.environment = $2
     and template.id in (
       select template_id
       from partial_uses
       where organization_id = $1 and environment = $2 and partial_id = $3
     )
     and exists (
       select
       from partial_uses
       where organization_id = $1
         and environment = $2
         and partial_id = $3
         and version_id in (live.id, newest.id)
     )
     and ($4::text[] is null or named.key = any ($4))
   order by template.kind, named.key
   limit $5
   offset $6`,
);

/** More than any organization has of what uses one partial. */
export const maxUsers = 100_000;

/** Which of the templates and partials that use a partial are read. */
export interface UsersQuery {
  keys?: readonly string[] | undefined;
  limit: number;
  offset: number;
}

/** Lists the templates and partials whose live or newest version holds a partial itself: partials first. */
export const pageOfUsers = async (
  { organizationId, environment }: Tenant,
  db: Queryable,
  partialId: string,
  { keys, limit, offset }: UsersQuery,
): Promise<Page<UserRow>> => {
  const read = (most: number, from: number): Promise<UserRow[]> =>
    db.query(users, [organizationId, environment, partialId, keys ?? null, most, from]);
  const items = await read(limit, offset);
  // Beyond the last page no row carries the total.
  const [counted] = items.length > 0 || offset === 0 ? items : await read(1, 0);
  return { items, total: counted?.total ?? 0 };
};
