import { searchTemplates as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentTemplate } from '../domain/present-template.ts';
import { searchWords } from '../domain/search-query.ts';
import { searchTemplateRows } from '../store/search.ts';

/** Finds templates by words of their names and descriptions, best first. */
export const searchTemplates = ({ reports }: Pick<Dependencies, 'reports'>) =>
  handle(operation, async ({ input: { query }, tenant }) => {
    const { q, lifecycle, limit, offset } = query;
    const wanted = { words: searchWords(q), lifecycle, limit, offset };
    const { items, total } = await searchTemplateRows(tenant, reports, wanted);
    const data = items.map((row) => ({ ...presentTemplate(row), score: row.score }));
    return { data, pagination: { offset, limit, total } };
  });
