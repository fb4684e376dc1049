import { listScheduledMessages as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentScheduledMessage } from '../schedules/present-scheduled-message.ts';
import { pageOfScheduledMessages } from '../schedules/store/scheduled-messages.ts';
import { lastRuns } from '../schedules/store/scheduled-runs.ts';

/** Lists scheduled messages with the latest run of each, newest first. */
export const listScheduledMessages = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ tenant, input: { query } }) => {
    const { offset, limit } = query;
    const { items, total } = await pageOfScheduledMessages(tenant, database, query);
    const runs = await lastRuns(tenant, database, items);
    const data = items.map((it) => presentScheduledMessage(it, runs.get(it.id)));
    return { data, pagination: { offset, limit, total } };
  });
