import { limits } from '@stanza/contracts';
import { type Queryable, statement, type Tenant } from '@stanza/runtime';

/** Saved sample data of a template. */
export interface SavedSample {
  id: string;
  name: string;
  created_by: string;
  data: Record<string, unknown>;
}

const samples = statement<SavedSample>(
  'impact-samples',
  `with listed as (
     select id, name, created_by, data, row_number() over newest as place,
       sum(octet_length(data::text)) over newest as bytes
     from sample_data
     where organization_id = $1 and environment = $2 and template_id = $3
     window newest as (order by created_at desc, id desc rows unbounded preceding)
   )
   select id, name, created_by, data
   from listed
   where place <= $4 and bytes <= $5
   order by place`,
);

/** The newest sample data saved for a template, within the bounds of an impact. */
export const samplesForImpact = (
  { organizationId, environment }: Tenant,
  db: Queryable,
  templateId: string,
): Promise<SavedSample[]> =>
  db.query(samples, [organizationId, environment, templateId, limits.impactItems, limits.impactBytes]);

const count = statement<{ total: number }>(
  'impact-samples-count',
  `select count(*) as total
   from sample_data
   where organization_id = $1 and environment = $2 and template_id = $3`,
);

/** How much sample data is saved for a template. */
export const countSamples = async (
  { organizationId, environment }: Tenant,
  db: Queryable,
  templateId: string,
): Promise<number> => {
  const [row] = await db.query(count, [organizationId, environment, templateId]);
  return row?.total ?? 0;
};
