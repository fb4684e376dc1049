import { metricCatalogue } from '@stanza/contracts';
import type { Transaction } from '@stanza/runtime';
import type { Dependencies } from '../../dependencies.ts';
import { tenantOf } from '../../messages/store/abandoned-messages.ts';
import { deferSend } from '../../messages/store/deferred-sends.ts';
import { endRun } from '../../messages/store/run-outcomes.ts';
import { runOperation } from '../run-operation.ts';
import { type DuePlan, giveUpAt, planDue } from '../schedule-timing.ts';
import {
  changeScheduledMessage,
  type DueSchedule,
  dueSchedulers,
  lockDue,
} from '../store/scheduled-messages.ts';
import { insertRun } from '../store/scheduled-runs.ts';

/** Scheduled messages claimed by one transaction; organizations take turns at them. */
const batch = 50;

type Result = 'begun' | 'skipped' | 'unreadable';

/** Ends a scheduled message whose time zone has been removed since its creation. It must not block the others. */
const endUnreadable = async (tx: Transaction, due: DueSchedule, now: Date): Promise<Result> => {
  const tenant = tenantOf(due);
  const { id, next_run_at, timezone } = due;
  const operation_id = runOperation(id, next_run_at);
  const run = { scheduled_message_id: id, due_at: next_run_at, operation_id, started_at: now };
  await insertRun(tenant, tx, { ...run, status: 'pending' });
  const error_details = `The cron is no longer valid in the time zone ${timezone}; create it again.`;
  const outcome = { operation_id, message_id: null, error: 'invalid_state', error_details } as const;
  await endRun(tenant, tx, { ...outcome, status: 'failed' });
  await changeScheduledMessage(tenant, tx, id, { status: 'completed', next_run_at: null });
  return 'unreadable';
};

/** Begins or skips the due runs of one scheduled message, and sets the next one. */
const beginOne = async (tx: Transaction, due: DueSchedule, plan: DuePlan, now: Date): Promise<Result> => {
  const tenant = tenantOf(due);
  const write = (dueAt: Date, status: 'pending' | 'skipped') =>
    insertRun(tenant, tx, {
      scheduled_message_id: due.id,
      due_at: dueAt,
      operation_id: runOperation(due.id, dueAt),
      status,
      started_at: now,
    });
  if (plan.skipped) await write(plan.skipped, 'skipped');
  if (plan.run && (await write(plan.run, 'pending'))) {
    await deferSend(tenant, tx, {
      operationId: runOperation(due.id, plan.run),
      origin: 'schedule',
      originId: due.id,
      patienceMs: giveUpAt(due, plan, now).getTime() - now.getTime(),
    });
  }
  const { next } = plan;
  await changeScheduledMessage(tenant, tx, due.id, {
    status: next ? 'active' : 'completed',
    next_run_at: next,
  });
  return plan.run ? 'begun' : 'skipped';
};

/**
 * Begins due runs. Every replica does it; row locks keep them apart. A run is written in one transaction with the time
 * of the next one, so a crash leaves it begun or untouched.
 */
export const beginDueRuns = ({
  database,
  metrics,
  log,
}: Pick<Dependencies, 'database' | 'metrics' | 'log'>) => {
  const runs = metrics.counter(metricCatalogue.delivery.scheduledRuns);
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
      const results = await database.transaction(async (tx) => {
        const found: Result[] = [];
        for (const due of await lockDue(tx, organizations, batch)) {
          const now = due.looked_at;
          const plan = planOf(due, now);
          found.push(await (plan ? beginOne(tx, due, plan, now) : endUnreadable(tx, due, now)));
        }
        return found;
      });
      for (const result of results) runs.inc({ result });
      last = results.length;
    }
  };
};
