import { listEntities as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentEntity } from '../domain/present-data.ts';
import { pageOfEntities } from '../store/entity-records.ts';

/** Lists the entities of the caller's organization and environment. */
export const listEntities = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ input: { query }, tenant }) => {
    const { items, total } = await pageOfEntities(tenant, database, query);
    const { offset, limit } = query;
    return { data: items.map(presentEntity), pagination: { offset, limit, total } };
  });
