import { listScheduleData as operation, recipientLocale } from '@stanza/contracts';
import { handle, Tenant } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { dataOfRun } from '../schedules/run-data.ts';
import { countSchedulesOf, scheduleDataOf } from '../schedules/store/schedule-data.ts';

/** Reads the data of the active scheduled messages of a template. */
export const listScheduleData = ({ database, clock }: Pick<Dependencies, 'database' | 'clock'>) =>
  handle(operation, async ({ input: { organization_id, environment, template_id } }) => {
    const tenant = new Tenant(organization_id, environment);
    const rows = await scheduleDataOf(tenant, database, template_id);
    const total = await countSchedulesOf(tenant, database, template_id);
    const items = rows.map(({ cron, send_at, created_by: owner, locale, next_run_at, ...row }) => ({
      ...row,
      data: dataOfRun(row.data, next_run_at ?? clock.now()),
      // Whose language it will be is not known before.
      locale: locale === recipientLocale ? null : locale,
      owner,
      name: cron ?? send_at?.toISOString() ?? '',
    }));
    return { items, left_out: Math.max(0, total - items.length) };
  });
