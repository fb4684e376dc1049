import type { Outbox, ServiceContext, Transaction } from '@stanza/runtime';
import type { CountEvents } from '../events/store/recording.ts';
import type { PreparedChange } from './message.ts';
import { recordDeleted } from './record-deletion.ts';
import { report, settle } from './settle.ts';
import { forgetContent } from './store/message-contents.ts';
import { type Ending, endMessages } from './store/postings.ts';
import { showRevision } from './store/revisions.ts';

/** True for a change whose credit was reserved. */
export const isPaid = (change: string | null): boolean => change === 'update';

/** Lets the message show a change that was made. */
const showChange = async (
  tx: Transaction,
  { tenant, id, revises }: PreparedChange,
  { status }: Ending,
): Promise<void> => {
  if (status === 'failed') return;
  if (status === 'sent') await showRevision(tenant, tx, { id, revises: revises.id });
  if (revises.change !== 'interaction') await forgetContent(tenant, tx, revises.id);
};

/**
 * Writes the outcome of a change: what its message shows from now on, and the settlement of its credit. What was kept of
 * the content for clicks is forgotten, since the next click brings what the channel shows.
 * @returns false when the change has an outcome already
 */
export const endChange = (
  {
    database,
    outbox,
    clock,
    countEvents,
  }: Pick<ServiceContext<unknown>, 'database' | 'clock'> & { outbox: Outbox; countEvents: CountEvents },
  change: PreparedChange,
  ending: Ending,
): Promise<boolean> =>
  database.transaction(async (tx) => {
    const { tenant, context, id, item, fence, journal, revises, creditLogId } = change;
    const unchanged = ending.status === 'sent' ? ending.unchanged : undefined;
    const isUpdated = ending.status === 'sent' && unchanged === undefined;
    const charged = isUpdated && isPaid(revises.change) && !change.interim;
    const row = { tenant, id, fence, ending, attempts: journal, isFree: !charged };
    if (!(await endMessages(tx, [row], countEvents)).has(id)) return false;
    if (isPaid(revises.change)) {
      const settled = { item, messageId: revises.id, creditLogId, charged };
      await settle(outbox, tx, tenant, context.operationId, [settled]);
    }
    await report(outbox, tx, tenant, {
      operation_id: context.operationId,
      origin: change.origin,
      origin_id: change.originId,
      message_id: revises.id,
      credit_log_id: charged ? creditLogId : undefined,
      status: ending.status,
      error: ending.status === 'sent' ? undefined : ending.error,
    });
    if (revises.change === 'delete' && ending.status === 'sent') {
      await recordDeleted(tx, outbox, context, { id: revises.id, changes: {}, at: clock.now() });
    }
    if (unchanged === undefined) await showChange(tx, change, ending);
    return true;
  });
