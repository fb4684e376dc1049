import { getSampleData as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import { sampleDataResource } from '../domain/data-resources.ts';
import { sampleDataNotFound } from '../domain/errors.ts';
import type { Dependencies } from '../dependencies.ts';
import { findSampleData } from '../store/sample-data.ts';

/** Reads sample data. */
export const getSampleData = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ input: { params }, tenant }) => {
    const row = await findSampleData(tenant, database, params.id);
    if (!row) throw sampleDataNotFound();
    return sampleDataResource(row);
  });
