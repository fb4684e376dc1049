import type { Page } from '@stanza/contracts';
import { type Keyed, type Keys, type Reports, type Statement, statement, type Tenant } from '@stanza/runtime';
import { columnsOf, type Table } from '@stanza/runtime/table';
import { dataEntities, type EntityRow } from '../domain/data-tables.ts';
import { type TemplateRow, templates } from '../domain/tables.ts';
import { entityKeys, templateKeys } from './keys.ts';
import { containing } from './pattern.ts';
import { atOneMoment } from './snapshot.ts';

/** A result and its rank. */
export type Found<T> = T & { score: number };

/** The search words; see `searchWords`. */
export interface SearchQuery {
  words: string;
  lifecycle?: 'active' | 'archived' | undefined;
  limit: number;
  offset: number;
}

/**
 * The minimum trigram similarity of words. The default of 0.6 misses `reciept` for receipt: transposed letters leave
 * 0.37. Words with only a common prefix match too, and rank last.
 */
const threshold = '0.3';

const useThreshold = statement<Record<string, never>>(
  'search-threshold',
  `select set_config('pg_trgm.word_similarity_threshold', $1, true)`,
);

/** Lower case, without diacritics; the index has the same expression. */
const searchable = (text: string): string =>
  `lower(regexp_replace(normalize(${text}, NFKD), '[\\u0300-\\u036f]', '', 'g') collate "und-x-icu")`;

/**
 * The rank: a name that equals the words, starts with them, has a word that does, or contains them; then the
 * similarity. The similarity of a description is left out: it took half the time of a search with thousands of results.
 */
const score = `round((
       case
         when plain_name = $3 then 4
         when starts_with(plain_name, $3) then 3
         when strpos(' ' || plain_name, ' ' || $3) > 0 then 2
         when strpos(plain_name, $3) > 0 then 1
         else 0
       end
       + word_similarity($3, plain_name)
       + similarity($3, plain_name) / 2
       + case when strpos(plain_description, $3) > 0 then 0.25 else 0 end
     )::numeric, 3)::float8`;

interface Search<T extends object> {
  page: Statement<Found<T> & { total: number }>;
  count: Statement<{ total: number }>;
}

/** Matches that are scored, at most: those whose name begins with the words, then the newest. */
const maxScored = 1_000;

/** @param kept the lifecycle filter, with the parameter $5 */
const searchOf = <T extends object>(searched: Table, kept: string): Search<T> => {
  // The baseline migration creates `search_templates` and `search_entities`, which find all matches in names and
  // descriptions: a part of the text, or similar words. Trigrams cover letters that the database's locale knows; others
  // match as parts.
  const columns = columnsOf(searched);
  // A scored row costs a hundred times what an unscored one does.
  const from = `from (
       select ${columns}
       from search_${searched.name}($1, $2, $3, $4)
       where ${kept}
       order by starts_with(lower(name), $3) desc, updated_at desc
       limit ${maxScored}) as kept`;
  return {
    // Materialized, so that texts are normalized once per row.
    page: statement<Found<T> & { total: number }>(
      `search-${searched.name}`,
      `with found as materialized (
     select ${columns}, ${searchable('name')} as plain_name, ${searchable("coalesce(description, '')")} as plain_description
     ${from}
   )
   select ${columns}, ${score} as score, count(*) over () as total
   from found
   order by score desc, updated_at desc, id
   limit $6
   offset $7`,
    ),
    count: statement<{ total: number }>(
      `search-${searched.name}-count`,
      `select count(*) as total\n   ${from}`,
    ),
  };
};

const run = <T extends { id: string }>(
  tenant: Tenant,
  database: Reports,
  search: Search<T>,
  keys: Keys,
  { words, lifecycle, limit, offset }: SearchQuery,
): Promise<Page<Keyed<Found<T>>>> =>
  atOneMoment(database, async (tx) => {
    await tx.query(useThreshold, [threshold]);
    const asked = [tenant.organizationId, tenant.environment, words, containing(words), lifecycle ?? null];
    const items = await tx.query(search.page, [...asked, limit, offset]);
    // Beyond the last page no row carries the total.
    const [{ total } = { total: 0 }] = items.length > 0 ? items : await tx.query(search.count, asked);
    return { items: await keys.withKeys(tenant, tx, items), total };
  });

const ofTemplates = searchOf<TemplateRow>(
  templates,
  "kind = 'template' and ($5::text is null or ($5 = 'archived') = (archived_at is not null))",
);
const ofEntities = searchOf<EntityRow>(dataEntities, '$5::text is null');

/** Finds templates, best first; page and total come from one snapshot. */
export const searchTemplateRows = (
  tenant: Tenant,
  database: Reports,
  query: SearchQuery,
): Promise<Page<Keyed<Found<TemplateRow>>>> => run(tenant, database, ofTemplates, templateKeys, query);

/** Finds entities, best first; page and total come from one snapshot. */
export const searchEntityRows = (
  tenant: Tenant,
  database: Reports,
  query: Omit<SearchQuery, 'lifecycle'>,
): Promise<Page<Keyed<Found<EntityRow>>>> => run(tenant, database, ofEntities, entityKeys, query);
