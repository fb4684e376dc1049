import { notFound, updateScheduledMessage as operation } from '@stanza/contracts';
import {
  audit,
  beginReferences,
  type Call,
  checkIfMatch,
  handle,
  namedTemplateId,
  type Transaction,
} from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { beginBeforeChange } from '../schedules/begin-run.ts';
import { auditedSchedule, changedBody } from '../schedules/changed-schedule.ts';
import { checkTemplate, contentOf, firstRun } from '../schedules/checked-schedule.ts';
import { checkOpen, detailsOf, lockOpenSchedule } from '../schedules/open-schedule.ts';
import { presentDetails } from '../schedules/present-scheduled-message.ts';
import { replaceScheduledMessage } from '../schedules/store/schedule-changes.ts';
import { findScheduledMessage, momentOf } from '../schedules/store/scheduled-messages.ts';
import { storedScheduledData } from '../store/stored.ts';

const timings = ['send_at', 'cron', 'timezone'];

/** Locks the row and changes it; what is due is begun before, with the times that it had. */
const change = async (
  { outbox, metrics }: Pick<Dependencies, 'outbox' | 'metrics'>,
  { tenant, input: { params, body }, context }: Call<typeof operation>,
  tx: Transaction,
  templateId: string | undefined,
) => {
  const row = await lockOpenSchedule(tenant, tx, params.id);
  checkIfMatch(context, operation, presentDetails(row, []));
  const named = templateId ?? row.template_id;
  const content = contentOf(changedBody(row, { ...body, template_id: named }), named);
  const changes = auditedSchedule(row, content);
  if (Object.keys(changes).length === 0) return detailsOf(tenant, tx, row.id);
  const at = await momentOf(tx);
  const isRetimed = timings.some((name) => name in changes);
  const first = isRetimed ? firstRun(content, at) : undefined;
  const kept = await beginBeforeChange({ metrics }, tx, row, at);
  const next = kept && (first ?? kept);
  await replaceScheduledMessage(tenant, tx, row.id, { ...content, next_run_at: next });
  await audit(tx, outbox, context, {
    action: 'scheduled_message.updated',
    subject: { kind: 'scheduled_message', id: row.id },
    changes,
    at,
  });
  return detailsOf(tenant, tx, row.id);
};

/** Changes a scheduled message that has not ended. */
export const updateScheduledMessage = (
  dependencies: Pick<Dependencies, 'database' | 'outbox' | 'rpc' | 'allowances' | 'metrics'>,
) =>
  handle(operation, async (call) => {
    const { database, rpc, allowances } = dependencies;
    const { tenant, input, context } = call;
    const { body } = input;
    const before = await findScheduledMessage(tenant, database, input.params.id);
    if (!before) throw notFound('scheduled message');
    checkOpen(before);
    const isNamed = Boolean(body.template_id ?? body.template_key);
    const templateId = isNamed ? await namedTemplateId({ rpc, context, tenant }, body) : undefined;
    const isOther = templateId !== undefined && templateId !== before.template_id;
    if (isOther) await checkTemplate(rpc, context, tenant, templateId);
    const allowance = await allowances.of(tenant.organizationId);
    return database.transaction(async (tx) => {
      if (isOther) {
        // It may have been archived and deleted since.
        await beginReferences(tx, [templateId]);
        await checkTemplate(rpc, context, tenant, templateId);
      }
      const write = () => change(dependencies, call, tx, templateId);
      return body.data ? storedScheduledData.within(tenant, tx, allowance, write) : write();
    });
  });
