import { listSampleData as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentSampleDataSummary } from '../domain/present-data.ts';
import { pageOfSampleData } from '../store/sample-data.ts';

/** Lists the sample data of the caller's organization and environment. A key that names nothing finds none. */
export const listSampleData = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ input: { query }, tenant }) => {
    const { items, total } = await pageOfSampleData(tenant, database, query);
    const { offset, limit } = query;
    return { data: items.map(presentSampleDataSummary), pagination: { offset, limit, total } };
  });
