import type { Page } from '@stanza/contracts';
import { type Database, type Statement, statement, type Tenant } from '@stanza/runtime';
import type { EntityRow } from '../domain/data-rows.ts';
import type { TemplateRow } from '../domain/rows.ts';
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

/** Lower case, without the marks on letters; the index has the same expression of name and description. */
const searchable = (text: string): string =>
  `lower(regexp_replace(normalize(${text}, NFKD), '[\\u0300-\\u036f]', '', 'g') collate "und-x-icu")`;

const name = searchable('name');
/** The text in which words are looked for; the index is of the same expression. */
export const searchedText = searchable("name || ' ' || coalesce(description, '')");

/**
 * What fits at all: a part of the text, or words that resemble it. Trigrams are of letters that the database's own
 * locale knows; others are found as parts.
 */
const fits = `organization_id = $1
     and environment = $2
     and (${searchedText} like $4 or ${searchedText} %> $3)`;

/** A name that is the words, begins with them, has a word that does, or holds them; then how much they resemble. */
const score = `round((
     case
       when ${name} = $3 then 4
       when starts_with(${name}, $3) then 3
       when strpos(' ' || ${name}, ' ' || $3) > 0 then 2
       when strpos(${name}, $3) > 0 then 1
       else 0
     end
     + word_similarity($3, ${name})
     + similarity($3, ${name}) / 2
     + word_similarity($3, ${searchable("coalesce(description, '')")}) / 4
   )::numeric, 3)::float8`;

interface Search<T extends object> {
  page: Statement<Found<T>>;
  count: Statement<{ total: number }>;
}

/** @param kept which of those that fit are asked for, by the parameter $5 */
const searchOf = <T extends object>(table: 'templates' | 'entities', kept: string): Search<T> => {
  const where = `where ${fits}
     and ${kept}`;
  return {
    page: statement<Found<T>>(
      `search-${table}`,
      `select *, ${score} as score
   from ${table}
   ${where}
   order by score desc, updated_at desc, id
   limit $6
   offset $7`,
    ),
    count: statement<{ total: number }>(
      `search-${table}-count`,
      `select count(*) as total
   from ${table}
   ${where}`,
    ),
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
    const [counted] = await tx.query(search.count, asked);
    return {
      items: await tx.query(search.page, [...asked, limit, offset]),
      total: counted?.total ?? 0,
    };
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
