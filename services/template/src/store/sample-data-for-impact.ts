import { impactReads } from '@stanza/runtime';

/** Saved sample data of a template. */
export interface SavedSample {
  id: string;
  name: string;
  created_by: string;
  data: Record<string, unknown>;
}

const reads = impactReads<SavedSample>('impact-samples', {
  from: `sample_data
       where organization_id = $1 and environment = $2 and template_id = $3`,
  columns: 'id, name, created_by, data',
  newest: 'created_at desc, id desc',
  bytes: 'octet_length(data::text)',
});

/** The newest sample data saved for a template, within the bounds of an impact. */
export const samplesForImpact = reads.newest;

/** How much sample data is saved for a template. */
export const countSamples = reads.count;
