import type { Page } from '@stanza/contracts';
import { type Database, type Statement, statement, type Tenant } from '@stanza/runtime';
import type { EntityRow } from '../domain/data-rows.ts';
import type { TemplateRow } from '../domain/rows.ts';
import { dataEntity } from './data-entities.ts';
import { templateEntity } from './entities.ts';
import { containing } from './pattern.ts';
import { atOneMoment } from './snapshot.ts';

/** Something found, and how well it fits. */
export type Found<T> = T & { score: number };

/** What is searched for; see `searchWords`. */
export interface SearchQuery {
  words: string;
  lifecycle?: 'active' | 'archived' | undefined;
  limit: number;
  offset: number;
}

/**
 * How much words must resemble each other, by their trigrams. At the default of 0.6, `reciept` finds no receipt: letters
 * changed over in the middle leave 0.37 of it. What merely begins alike comes along, and stands last.
 */
const threshold = '0.3';

const useThreshold = statement<Record<string, never>>(
  'search-threshold',
  `select set_config('pg_trgm.word_similarity_threshold', $1, true)`,
);

/** Lower case, without the marks on letters; the index has the same expression of both together. */
const searchable = (text: string): string =>
  `lower(regexp_replace(normalize(${text}, NFKD), '[\\u0300-\\u036f]', '', 'g') collate "und-x-icu")`;

/**
 * A name that is the words, begins with them, has a word that does, or holds them; then how much they resemble. How much
 * a description resembles them is not asked: it took half the time of a search that finds thousands.
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

/** Named, since a column that a later version adds would change the rows of a prepared `*`. */
const columnsOf = {
  templates: templateEntity.options.columns,
  entities: dataEntity.options.columns,
};

/** @param kept which of those that fit are asked for, by the parameter $5 */
const searchOf = <T extends object>(table: 'templates' | 'entities', kept: string): Search<T> => {
  // What fits at all: a part of the text, or words that resemble it. Trigrams are of letters that the database's own
  // locale knows; others are found as parts.
  const columns = Object.keys(columnsOf[table]).join(', ');
  const from = `from search_${table}($1, $2, $3, $4)
     where ${kept}`;
  return {
    // Materialized, so that texts are made plain once a row.
    page: statement<Found<T> & { total: number }>(
      `search-${table}`,
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
    count: statement<{ total: number }>(`search-${table}-count`, `select count(*) as total\n   ${from}`),
  };
};

const run = <T extends object>(
  tenant: Tenant,
  database: Database,
  search: Search<T>,
  { words, lifecycle, limit, offset }: SearchQuery,
): Promise<Page<Found<T>>> =>
  atOneMoment(database, async (tx) => {
    await tx.query(useThreshold, [threshold]);
    const asked = [tenant.organizationId, tenant.environment, words, containing(words), lifecycle ?? null];
    const items = await tx.query(search.page, [...asked, limit, offset]);
    // Beyond the last page no row is there to tell the total.
    const [{ total } = { total: 0 }] = items.length > 0 ? items : await tx.query(search.count, asked);
    return { items, total };
  });

const ofTemplates = searchOf<TemplateRow>(
  'templates',
  "($5::text is null or ($5 = 'archived') = (archived_at is not null))",
);
const ofEntities = searchOf<EntityRow>('entities', '$5::text is null');

/** Finds templates, best first; page and total are of the same moment. */
export const searchTemplateRows = (
  tenant: Tenant,
  database: Database,
  query: SearchQuery,
): Promise<Page<Found<TemplateRow>>> => run(tenant, database, ofTemplates, query);

/** Finds entities, best first; page and total are of the same moment. */
export const searchEntityRows = (
  tenant: Tenant,
  database: Database,
  query: Omit<SearchQuery, 'lifecycle'>,
): Promise<Page<Found<EntityRow>>> => run(tenant, database, ofEntities, query);
