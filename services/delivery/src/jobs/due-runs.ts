import type { Transaction } from '@stanza/runtime';
import { runOperation } from '../domain/run-operation.ts';
import { giveUpAt, planDue } from '../domain/schedule-timing.ts';
import type { Parts } from '../parts.ts';
import { tenantOf } from '../store/abandoned-messages.ts';
import { deferSend } from '../store/deferred-sends.ts';
import { changeScheduledMessage, lockDue } from '../store/scheduled-messages.ts';
import { insertRun } from '../store/scheduled-runs.ts';

/** Scheduled messages that one transaction takes. */
const batch = 50;

type Due = Awaited<ReturnType<typeof lockDue>>[number];

/** Begins or passes over the runs of one scheduled message that are due, and sets when the next one is. */
const beginOne = async (tx: Transaction, due: Due, now: Date): Promise<'begun' | 'skipped'> => {
  const tenant = tenantOf(due);
  const plan = planDue(due, due.next_run_at, now);
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
      at: now,
      giveUpAt: giveUpAt(due, plan, now),
    });
  }
  const { next } = plan;
  await changeScheduledMessage(tenant, tx, due.id, {
    status: next ? 'active' : 'completed',
    next_run_at: next,
    updated_at: now,
    ended_at: next ? null : now,
  });
  return plan.run ? 'begun' : 'skipped';
};

/**
 * Begins the runs that are due. Every replica does it; row locks keep them apart. What a run needs is written in one
 * transaction with the time of the next one, so that a process that dies over it has begun it or has not.
 */
export const beginDueRuns = ({ database, clock, metrics }: Pick<Parts, 'database' | 'clock' | 'metrics'>) => {
  const runs = metrics.counter({
    name: 'stanza_scheduled_runs_total',
    help: 'Due times of scheduled messages, by whether a message was begun or they were missed',
    labels: ['result'],
  });
  return async (signal?: AbortSignal): Promise<void> => {
    let last = batch;
    while (last === batch && !signal?.aborted) {
      const results = await database.transaction(async (tx) => {
        const now = clock.now();
        const found: ('begun' | 'skipped')[] = [];
        for (const due of await lockDue(tx, now, batch)) found.push(await beginOne(tx, due, now));
        return found;
      });
      for (const result of results) runs.inc({ result });
      last = results.length;
    }
  };
};
