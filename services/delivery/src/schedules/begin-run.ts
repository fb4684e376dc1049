import { CodedError, metricCatalogue } from '@stanza/contracts';
import type { Transaction } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { tenantOf } from '../messages/store/abandoned-messages.ts';
import { deferSend } from '../messages/store/deferred-sends.ts';
import { runOperation } from './run-operation.ts';
import type { ScheduledMessageRow, ScheduledRunRow } from './schedule-tables.ts';
import { cronProblem, type DuePlan, giveUpAt, onTimeMs, planDue } from './schedule-timing.ts';
import { changeScheduledMessage } from './store/schedule-changes.ts';
import { insertRun } from './store/scheduled-runs.ts';

type Counting = Pick<Dependencies, 'metrics'>;

/** Counts a due time once its transaction is committed. */
export const countRun = (
  { metrics }: Counting,
  tx: Transaction,
  result: 'begun' | 'skipped' | 'unreadable',
): void => tx.afterCommit(() => metrics.counter(metricCatalogue.delivery.scheduledRuns).inc({ result }));

/** Begins or skips the due runs of one locked scheduled message, and sets the next one. */
export const beginPlanned = async (
  counting: Counting,
  tx: Transaction,
  due: ScheduledMessageRow,
  { plan, now }: { plan: DuePlan; now: Date },
): Promise<void> => {
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
  countRun(counting, tx, plan.run ? 'begun' : 'skipped');
};

/**
 * Begins what is due of a locked scheduled message before a change of it, which the replicas then no longer see as due.
 * @returns the next run; null for a paused one
 * @throws CodedError `invalid_state` when no run is left or its times can no longer be read, so that the transaction
 * leaves the due one to the replicas
 */
export const beginBeforeChange = async (
  counting: Counting,
  tx: Transaction,
  row: ScheduledMessageRow,
  now: Date,
): Promise<Date | null> => {
  const { next_run_at } = row;
  if (next_run_at === null || next_run_at > now) return next_run_at;
  const problem = row.cron === null ? undefined : cronProblem(row.cron, row.timezone ?? 'UTC');
  if (problem !== undefined)
    throw new CodedError('invalid_state', {
      message: `Its cron is no longer valid, which ends it: ${problem}`,
    });
  const plan = planDue(row, next_run_at, now);
  if (!plan.next)
    throw new CodedError('invalid_state', { message: 'Its last run is due; there are no later runs.' });
  await beginPlanned(counting, tx, row, { plan, now });
  return plan.next;
};

/** Who asked for a run outside of the schedule, and by which operation. */
export type RunRequest = Pick<ScheduledRunRow, 'requested_by' | 'requested_operation_id'>;

/** Begins a run of a locked scheduled message next to those of its times. */
export const beginRequested = async (
  counting: Counting,
  tx: Transaction,
  row: ScheduledMessageRow,
  { request, now }: { request: RunRequest; now: Date },
): Promise<void> => {
  const tenant = tenantOf(row);
  let dueAt = now;
  const run = () => ({
    scheduled_message_id: row.id,
    due_at: dueAt,
    operation_id: runOperation(row.id, dueAt),
  });
  // A time of the schedule has its own run: this one takes the next millisecond that is free.
  const isTaken = async () =>
    dueAt.getTime() % 60_000 === 0 ||
    dueAt.getTime() === row.send_at?.getTime() ||
    !(await insertRun(tenant, tx, { ...run(), ...request, status: 'pending', started_at: now }));
  while (await isTaken()) dueAt = new Date(dueAt.getTime() + 1);
  await deferSend(tenant, tx, {
    operationId: runOperation(row.id, dueAt),
    origin: 'schedule',
    originId: row.id,
    patienceMs: onTimeMs,
  });
  countRun(counting, tx, 'begun');
};
