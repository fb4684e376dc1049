import { searchEntities as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentEntity } from '../domain/present-data.ts';
import { searchWords } from '../domain/search-query.ts';
import { searchEntityRows } from '../store/search.ts';

/** Finds entities by words of their names and descriptions, best first. */
export const searchEntities = ({ reports }: Pick<Dependencies, 'reports'>) =>
  handle(operation, async ({ input: { query }, tenant }) => {
    const { q, limit, offset } = query;
    const wanted = { words: searchWords(q), limit, offset };
    const { items, total } = await searchEntityRows(tenant, reports, wanted);
    const data = items.map((row) => ({ ...presentEntity(row), score: row.score }));
    return { data, pagination: { offset, limit, total } };
  });
