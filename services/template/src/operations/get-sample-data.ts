import { notFound, getSampleData as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentSampleData } from '../domain/present-data.ts';
import { findSampleData } from '../store/sample-data.ts';

/** Reads sample data. */
export const getSampleData = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ input: { params }, tenant }) => {
    const row = await findSampleData(tenant, database, params.id);
    if (!row) throw notFound('sample data');
    return presentSampleData(row);
  });
