import { notFound, getScheduledMessage as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentDetails } from '../schedules/present-scheduled-message.ts';
import { findScheduledMessage } from '../schedules/store/scheduled-messages.ts';
import { latestRuns, shownRuns } from '../schedules/store/scheduled-runs.ts';

/** Reads a scheduled message, its next runs and its last ones. */
export const getScheduledMessage = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ tenant, input: { params } }) => {
    const row = await findScheduledMessage(tenant, database, params.id);
    if (!row) throw notFound('scheduled message');
    return presentDetails(row, await latestRuns(tenant, database, row.id, shownRuns));
  });
