import { CodedError, resumeScheduledMessage as operation } from '@stanza/contracts';
import { audit, handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { detailsOf, lockOpenSchedule } from '../schedules/open-schedule.ts';
import { cronProblem, nextRun } from '../schedules/schedule-timing.ts';
import { activateScheduledMessage } from '../schedules/store/schedule-changes.ts';
import { momentOf } from '../schedules/store/scheduled-messages.ts';

const nothingToCome = (message: string): CodedError => new CodedError('invalid_state', { message });

/** Resumes a paused scheduled message with the first run after now: what the pause has missed is not made up for. */
export const resumeScheduledMessage = ({ database, outbox }: Pick<Dependencies, 'database' | 'outbox'>) =>
  handle(operation, ({ tenant, input: { params }, context }) =>
    database.transaction(async (tx) => {
      const row = await lockOpenSchedule(tenant, tx, params.id);
      if (row.status === 'active') return detailsOf(tenant, tx, row.id);
      const at = await momentOf(tx);
      const problem = row.cron === null ? undefined : cronProblem(row.cron, row.timezone ?? 'UTC');
      if (problem !== undefined) throw nothingToCome(`Its cron is no longer valid: ${problem}`);
      const next = nextRun(row, at);
      if (!next) throw nothingToCome('Its time has passed during the pause; change send_at, or run it now.');
      await activateScheduledMessage(tenant, tx, row.id, next);
      await audit(tx, outbox, context, {
        action: 'scheduled_message.resumed',
        subject: { kind: 'scheduled_message', id: row.id },
        changes: { next_run_at: next },
        at,
      });
      return detailsOf(tenant, tx, row.id);
    }),
  );
