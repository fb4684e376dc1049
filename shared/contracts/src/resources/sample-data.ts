import { z } from 'zod';
import { freeObject, id, timestamp } from './values.ts';

/** Data to try templates with. */
export const sampleData = z
  .object({
    id,
    organization_id: id,
    name: z.string(),
    description: z.string().nullable(),
    data: freeObject,
    template_id: id.nullable().describe('the template that it is for'),
    entity_id: id.nullable().describe('the entity that it fitted when it was saved'),
    created_by: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'SampleData' });

/** See {@link sampleData}. */
export type SampleData = z.output<typeof sampleData>;

/** Sample data in a list: everything but the data. */
export const sampleDataSummary = sampleData.omit({ data: true }).meta({ id: 'SampleDataSummary' });

/** See {@link sampleDataSummary}. */
export type SampleDataSummary = z.output<typeof sampleDataSummary>;
