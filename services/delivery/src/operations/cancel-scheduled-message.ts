import { CodedError, maxReposts, notFound, cancelScheduledMessage as operation } from '@stanza/contracts';
import { audit, handle } from '@stanza/runtime';
import type { WriteDependencies } from '../dependencies.ts';
import { withdrawOperations } from '../messages/store/reservations.ts';
import { takeOverDeferred } from '../messages/store/takeovers.ts';
import { changeScheduledMessage } from '../schedules/store/schedule-changes.ts';
import { lockScheduledMessage } from '../schedules/store/scheduled-messages.ts';
import { hasRepostableRun, pendingRuns } from '../schedules/store/scheduled-runs.ts';

/**
 * Cancels a scheduled message. Its lock prevents new runs. A run in flight is withdrawn: from the commit on its post
 * cannot begin, and it ends as failed; one whose post has begun continues to its outcome. A run of unknown outcome is not
 * posted again.
 */
export const cancelScheduledMessage = ({ database, outbox, clock }: WriteDependencies) =>
  handle(operation, async ({ tenant, input: { params }, context }) => {
    await database.transaction(async (tx) => {
      const row = await lockScheduledMessage(tenant, tx, params.id);
      if (!row) throw notFound('scheduled message');
      if (row.status === 'cancelled') return;
      const pending = await pendingRuns(tenant, tx, row.id);
      const isOver = row.status === 'completed' && pending.length === 0;
      if (isOver && !(await hasRepostableRun(tenant, tx, row.id, maxReposts))) {
        throw new CodedError('invalid_state', {
          message: 'Its last run has ended; there is nothing to cancel.',
        });
      }
      const at = clock.now();
      await changeScheduledMessage(tenant, tx, row.id, { status: 'cancelled', next_run_at: null });
      const { organizationId: organization_id, environment } = tenant;
      const operations = pending.map((operation_id) => ({ organization_id, environment, operation_id }));
      await withdrawOperations(tx, operations);
      await takeOverDeferred(tenant, tx, pending);
      await audit(tx, outbox, context, {
        action: 'scheduled_message.cancelled',
        subject: { kind: 'scheduled_message', id: row.id },
        changes: { runs_on_their_way: pending.length },
        at,
      });
    });
    return { success: true as const, id: params.id };
  });
