import { metricCatalogue } from '@stanza/contracts';
import type { Transaction } from '@stanza/runtime';
import type { Dependencies } from '../../dependencies.ts';
import { tenantOf } from '../../messages/store/abandoned-messages.ts';
import { endRun } from '../../messages/store/run-outcomes.ts';
import { beginPlanned, countRun } from '../begin-run.ts';
import { runOperation } from '../run-operation.ts';
import { type DuePlan, planDue } from '../schedule-timing.ts';
import { changeScheduledMessage } from '../store/schedule-changes.ts';
import { type DueSchedule, dueSchedulers, lockDue } from '../store/scheduled-messages.ts';
import { insertRun } from '../store/scheduled-runs.ts';

/** Scheduled messages claimed by one transaction; organizations take turns at them. */
const batch = 50;

/** Ends a scheduled message whose time zone has been removed since its creation. It must not block the others. */
const endUnreadable = async (
  counting: Pick<Dependencies, 'metrics'>,
  tx: Transaction,
  due: DueSchedule,
  now: Date,
): Promise<void> => {
  const tenant = tenantOf(due);
  const { id, next_run_at, timezone } = due;
  const operation_id = runOperation(id, next_run_at);
  const run = { scheduled_message_id: id, due_at: next_run_at, operation_id, started_at: now };
  await insertRun(tenant, tx, { ...run, status: 'pending' });
  const error_details = `The cron is no longer valid in the time zone ${timezone}; create it again.`;
  const outcome = { operation_id, message_id: null, error: 'invalid_state', error_details } as const;
  await endRun(tenant, tx, { ...outcome, status: 'failed' });
  await changeScheduledMessage(tenant, tx, id, { status: 'completed', next_run_at: null });
  countRun(counting, tx, 'unreadable');
};

/**
 * Begins due runs. Every replica does it; row locks keep them apart. A run is written in one transaction with the time
 * of the next one, so a crash leaves it begun or untouched.
 */
export const beginDueRuns = (dependencies: Pick<Dependencies, 'database' | 'metrics' | 'log'>) => {
  const { database, log, metrics } = dependencies;
  // From the start of the process at zero: its first run is an increase.
  metrics.counter(metricCatalogue.delivery.scheduledRuns);
  const planOf = (due: DueSchedule, now: Date): DuePlan | undefined => {
    try {
      return planDue(due, due.next_run_at, now);
    } catch (err) {
      log.error({ err, scheduled_message_id: due.id }, 'a scheduled message is no longer valid');
      return undefined;
    }
  };
  const schedulers = dueSchedulers();
  return async (signal?: AbortSignal): Promise<void> => {
    let last = batch;
    while (last === batch && !signal?.aborted) {
      const organizations = await schedulers.find(database);
      if (organizations.length === 0) return;
      last = await database.transaction(async (tx) => {
        const found = await lockDue(tx, organizations, batch);
        for (const due of found) {
          const now = due.looked_at;
          const plan = planOf(due, now);
          if (plan) await beginPlanned(dependencies, tx, due, { plan, now });
          else await endUnreadable(dependencies, tx, due, now);
        }
        return found.length;
      });
    }
  };
};
