import { limits } from '@stanza/contracts';
import { type Queryable, statement, type Tenant } from '@stanza/runtime';

/** What a scheduled message will be compiled with. */
export interface ScheduleData {
  id: string;
  cron: string | null;
  send_at: Date | null;
  created_by: string;
  data: Record<string, unknown>;
  strict: boolean | null;
  locale: string | null;
  timezone: string | null;
}

const active = statement<ScheduleData>(
  'schedule-data',
  `with listed as (
     select id, cron, send_at, created_by, data, strict, locale, timezone, row_number() over newest as place,
       sum(octet_length(data::text)) over newest as bytes
     from scheduled_messages
     where organization_id = $1 and environment = $2 and template_id = $3 and status = 'active'
     window newest as (order by id desc rows unbounded preceding)
   )
   select id, cron, send_at, created_by, data, strict, locale, timezone
   from listed
   where place <= $4 and bytes <= $5
   order by place`,
);

/** The data of the newest active scheduled messages of a template, within the bounds of an impact. */
export const scheduleDataOf = (
  { organizationId, environment }: Tenant,
  db: Queryable,
  templateId: string,
): Promise<ScheduleData[]> =>
  db.query(active, [organizationId, environment, templateId, limits.impactItems, limits.impactBytes]);

const count = statement<{ total: number }>(
  'schedule-data-count',
  `select count(*) as total
   from scheduled_messages
   where organization_id = $1 and environment = $2 and template_id = $3 and status = 'active'`,
);

/** How many active scheduled messages a template has. */
export const countSchedulesOf = async (
  { organizationId, environment }: Tenant,
  db: Queryable,
  templateId: string,
): Promise<number> => {
  const [row] = await db.query(count, [organizationId, environment, templateId]);
  return row?.total ?? 0;
};
