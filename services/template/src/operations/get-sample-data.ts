import { getSampleData as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import { sampleDataResource } from '../domain/data-resources.ts';
import { sampleDataNotFound } from '../domain/refusals.ts';
import type { Parts } from '../parts.ts';
import { findSampleData } from '../store/sample-data.ts';

/** Reads sample data. */
export const getSampleData = ({ database }: Pick<Parts, 'database'>) =>
  handle(operation, async ({ input: { params }, tenant }) => {
    const row = await findSampleData(tenant, database, params.id);
    if (!row) throw sampleDataNotFound();
    return sampleDataResource(row);
  });
