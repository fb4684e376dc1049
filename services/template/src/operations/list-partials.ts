import { listPartials as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentListedPartial } from '../domain/present-template.ts';
import { pageOfTemplates } from '../store/templates.ts';

/** Lists the partials of the caller's organization and environment. */
export const listPartials = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ input: { query }, tenant }) => {
    const { items, total } = await pageOfTemplates(tenant, database, query, 'partial');
    const { offset, limit } = query;
    return { data: items.map(presentListedPartial), pagination: { offset, limit, total } };
  });
