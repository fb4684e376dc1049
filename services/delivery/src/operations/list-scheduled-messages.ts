import { listScheduledMessages as operation } from '@stanza/contracts';
import { filteredId, handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { templateOfKey } from '../messages/template-of-key.ts';
import { presentScheduledMessage } from '../schedules/present-scheduled-message.ts';
import { pageOfScheduledMessages } from '../schedules/store/scheduled-messages.ts';
import { lastRuns } from '../schedules/store/scheduled-runs.ts';

/** Lists scheduled messages with the latest run of each, newest first. A key that names no template finds none. */
export const listScheduledMessages = (dependencies: Pick<Dependencies, 'database' | 'rpc'>) =>
  handle(operation, async ({ tenant, context, input: { query } }) => {
    const { template_key, ...asked } = query;
    const { offset, limit } = asked;
    const { database } = dependencies;
    const template_id = filteredId(
      { id: asked.template_id, key: template_key },
      template_key && (await templateOfKey(dependencies, { tenant, context }, template_key)),
    );
    if (template_id === null) return { data: [], pagination: { offset, limit, total: 0 } };
    const { items, total } = await pageOfScheduledMessages(tenant, database, { ...asked, template_id });
    const runs = await lastRuns(tenant, database, items);
    const data = items.map((it) => presentScheduledMessage(it, runs.get(it.id)));
    return { data, pagination: { offset, limit, total } };
  });
