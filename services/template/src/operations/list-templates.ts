import { listTemplates as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentListedTemplate } from '../domain/present-template.ts';
import { pageOfTemplates } from '../store/templates.ts';

/** Lists the templates of the caller's organization and environment. */
export const listTemplates = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ input: { query }, tenant }) => {
    const { items, total } = await pageOfTemplates(tenant, database, query);
    const { offset, limit } = query;
    return { data: items.map(presentListedTemplate), pagination: { offset, limit, total } };
  });
