import { CodedError } from '@stanza/contracts';
import { checkActive } from '../active-organization.ts';
import { namedDestinationOf } from '../chat/recipients.ts';
import type { Dependencies } from '../dependencies.ts';
import type { PlaceOrder } from '../messages/deferred.ts';
import { addressOf, optionsOf } from '../messages/message.ts';
import { dataOfRun } from './run-data.ts';
import type { ScheduledMessageRow, ScheduledRunRow } from './schedule-tables.ts';
import { nextRuns } from './schedule-timing.ts';
import { findScheduledMessage, momentOf } from './store/scheduled-messages.ts';
import { findRunOf } from './store/scheduled-runs.ts';

/** True where the next run has come, whether or not it has begun. */
const isReplaced = (scheduled: ScheduledMessageRow, run: ScheduledRunRow, now: Date): boolean => {
  const [next] = scheduled.cron === null ? [] : nextRuns(scheduled, run.due_at, 1);
  return next !== undefined && next <= now;
};

/** True where a run whose time is over is still sent: no other has come since, and it was to be caught up with. */
const isCaughtUp = (scheduled: ScheduledMessageRow, run: ScheduledRunRow, now: Date): boolean =>
  scheduled.catch_up && run.requested_by === null && !isReplaced(scheduled, run, now);

/** Makes the message of a run, in the name of the organization: the author of the schedule may have left. */
export const orderScheduled =
  ({ database, rpc }: Pick<Dependencies, 'database' | 'rpc'>): PlaceOrder =>
  async (row, facts) => {
    const { tenant, context } = facts;
    const scheduled = await findScheduledMessage(tenant, database, row.origin_id);
    const run = await findRunOf(tenant, database, row.operation_id);
    if (!scheduled || !run) return undefined;
    if (scheduled.status === 'cancelled') {
      throw new CodedError('invalid_state', {
        message: 'It was cancelled before its post. Nothing was posted.',
      });
    }
    if (row.is_over && !isCaughtUp(scheduled, run, await momentOf(database))) {
      throw new CodedError(row.error ?? 'service_unavailable', {
        message: 'The run could not be sent in its time. Nothing was posted.',
      });
    }
    await checkActive({ rpc }, tenant, context);
    const { template_id, data, strict, locale, timezone } = scheduled;
    return {
      ...facts,
      actorId: `schedule:${scheduled.id}`,
      origin: row.origin,
      originId: row.origin_id,
      compilation: {
        template_id,
        data: dataOfRun(data, run.due_at),
        strict: strict ?? undefined,
        locale: locale ?? undefined,
        timezone: timezone ?? undefined,
      },
      ...(await addressOf({ database }, tenant, {
        ...scheduled.options,
        ...namedDestinationOf(scheduled),
        thread_ts: scheduled.thread_ts ?? undefined,
      })),
      options: optionsOf(scheduled.options ?? {}),
    };
  };
