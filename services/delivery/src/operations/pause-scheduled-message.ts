import { pauseScheduledMessage as operation } from '@stanza/contracts';
import { audit, handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { beginBeforeChange } from '../schedules/begin-run.ts';
import { detailsOf, lockOpenSchedule } from '../schedules/open-schedule.ts';
import { changeScheduledMessage } from '../schedules/store/schedule-changes.ts';
import { momentOf } from '../schedules/store/scheduled-messages.ts';

/**
 * Pauses a scheduled message. A due run that no replica has taken is begun here, under the same lock: it belongs to the
 * time before the pause, and is sent once whoever takes it.
 */
export const pauseScheduledMessage = ({
  database,
  outbox,
  metrics,
}: Pick<Dependencies, 'database' | 'outbox' | 'metrics'>) =>
  handle(operation, ({ tenant, input: { params }, context }) =>
    database.transaction(async (tx) => {
      const row = await lockOpenSchedule(tenant, tx, params.id);
      if (row.status === 'paused') return detailsOf(tenant, tx, params.id);
      const at = await momentOf(tx);
      await beginBeforeChange({ metrics }, tx, row, at);
      await changeScheduledMessage(tenant, tx, row.id, { status: 'paused', next_run_at: null });
      await audit(tx, outbox, context, {
        action: 'scheduled_message.paused',
        subject: { kind: 'scheduled_message', id: row.id },
        changes: {},
        at,
      });
      return detailsOf(tenant, tx, row.id);
    }),
  );
