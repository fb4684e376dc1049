import { listTemplateSchedules as operation } from '@stanza/contracts';
import { awaitReferences, handle, Tenant } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { openSchedulesOf } from '../schedules/store/scheduled-messages.ts';

/** Lists the scheduled messages of a template that have not ended. */
export const listTemplateSchedules = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ input: { organization_id, environment, template_id } }) => {
    await awaitReferences(database, template_id);
    const rows = await openSchedulesOf(new Tenant(organization_id, environment), database, template_id);
    return {
      schedules: rows.map(({ id, cron, send_at }) => ({ id, timing: cron ?? send_at?.toISOString() ?? '' })),
    };
  });
