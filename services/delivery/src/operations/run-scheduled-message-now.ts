import { authorOf, CodedError, runScheduledMessageNow as operation } from '@stanza/contracts';
import { audit, handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { claimOperation } from '../messages/store/reservations.ts';
import { beginRequested } from '../schedules/begin-run.ts';
import { lockOpenSchedule } from '../schedules/open-schedule.ts';
import { presentRun } from '../schedules/present-scheduled-message.ts';
import { momentOf } from '../schedules/store/scheduled-messages.ts';
import { findRequestedRun } from '../schedules/store/scheduled-runs.ts';

/** Begins a run now; a repeat of the operation answers the run of the first. */
export const runScheduledMessageNow = ({
  database,
  outbox,
  metrics,
}: Pick<Dependencies, 'database' | 'outbox' | 'metrics'>) =>
  handle(operation, async ({ tenant, input: { params }, context, principal }) => {
    const { operationId } = context;
    const before = await findRequestedRun(tenant, database, operationId);
    if (before) return presentRun(before);
    await database.transaction(async (tx) => {
      if (!(await claimOperation(tenant, tx, operationId))) return;
      const row = await lockOpenSchedule(tenant, tx, params.id);
      const now = await momentOf(tx);
      const request = { requested_by: authorOf(principal.actor), requested_operation_id: operationId };
      await beginRequested({ metrics }, tx, row, { request, now });
      await audit(tx, outbox, context, {
        action: 'scheduled_message.run',
        subject: { kind: 'scheduled_message', id: row.id },
        changes: {},
        at: now,
      });
    });
    const run = await findRequestedRun(tenant, database, operationId);
    if (!run) throw new CodedError('service_unavailable', { nothing_done: true });
    return presentRun(run);
  });
