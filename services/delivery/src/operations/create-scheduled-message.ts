import { authorOf, CodedError, createScheduledMessage as operation } from '@stanza/contracts';
import { audit, beginReferences, handle, namedTemplateId, newId } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { checkTemplate, contentOf, firstRun, timingIn } from '../schedules/checked-schedule.ts';
import { presentDetails } from '../schedules/present-scheduled-message.ts';
import {
  findScheduledMessageMadeBy,
  insertScheduledMessage,
  momentOf,
} from '../schedules/store/scheduled-messages.ts';
import { latestRuns, shownRuns } from '../schedules/store/scheduled-runs.ts';
import { storedScheduledData, storedSchedules } from '../store/stored.ts';

/** Schedules a message; a repeat of the operation answers the same. */
export const createScheduledMessage = ({
  database,
  outbox,
  rpc,
  allowances,
}: Pick<Dependencies, 'database' | 'outbox' | 'rpc' | 'allowances'>) =>
  handle(operation, async ({ tenant, input: { body }, context, principal }) => {
    const before = await findScheduledMessageMadeBy(tenant, database, context.operationId);
    if (before) return presentDetails(before, await latestRuns(tenant, database, before.id, shownRuns));
    const now = await momentOf(database);
    const next = firstRun(timingIn(body), now);
    const template_id = await namedTemplateId({ rpc, context, tenant }, body);
    await checkTemplate(rpc, context, tenant, template_id);
    const allowance = await allowances.of(tenant.organizationId);
    const id = newId();
    const made = await database.transaction(async (tx) => {
      // It may have been archived and deleted since.
      await beginReferences(tx, [template_id]);
      await checkTemplate(rpc, context, tenant, template_id);
      await storedSchedules.check(tenant, tx, allowance, context.operationId);
      const row = await storedScheduledData.within(tenant, tx, allowance, () =>
        insertScheduledMessage(tenant, tx, {
          ...contentOf(body, template_id),
          id,
          operation_id: context.operationId,
          next_run_at: next,
          created_by: authorOf(principal.actor),
          created_at: now,
        }),
      );
      if (!row) return undefined;
      const { send_at, cron, timezone, catch_up, on_unknown } = body;
      await audit(tx, outbox, context, {
        action: 'scheduled_message.created',
        subject: { kind: 'scheduled_message', id },
        changes: { template_id, send_at, cron, timezone, catch_up, on_unknown },
        at: now,
      });
      return row;
    });
    const row = made ?? (await findScheduledMessageMadeBy(tenant, database, context.operationId));
    if (!row) throw new CodedError('service_unavailable', { nothing_done: true });
    return presentDetails(row, []);
  });
