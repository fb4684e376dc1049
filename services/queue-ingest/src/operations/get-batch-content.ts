import { CodedError, type InputOf, getBatchContent as operation, type ReplyOf } from '@stanza/contracts';
import { handleWritten, Tenant } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import type { BatchRow } from '../domain/tables.ts';
import { beginDelivery } from '../store/batches.ts';
import { contentTextOf } from '../store/events.ts';
import { findShown } from '../store/live-batches.ts';

/** A batch that is ready, or that still collects and is shown, with the moment of its live version. */
const findGiven = async (
  { database }: Pick<Dependencies, 'database'>,
  tenant: Tenant,
  { batch_id, operation_id, updates }: InputOf<typeof operation>,
): Promise<{ batch: BatchRow; liveAt: Date }> => {
  const ready = await beginDelivery(tenant, database, batch_id, operation_id);
  if (ready) {
    if (ready.live_shown_at && !updates) {
      // The previous version would post a second message; a process of this one takes the batch up.
      throw new CodedError('service_unavailable', { nothing_done: true, retry_after: 5 });
    }
    return { batch: ready, liveAt: ready.live_at ?? ready.closed_at ?? ready.opened_at };
  }
  const shown = updates ? await findShown(tenant, database, batch_id, operation_id) : undefined;
  if (!shown) throw new CodedError('not_found', { message: 'The delivery does not exist or has ended.' });
  return { batch: shown, liveAt: shown.at };
};

/** For a caller that wants no events. */
const nothing = { count: 0, json: '[]' };

/**
 * Gives a batch to delivery, and marks a ready one as delivering. A delivery that a retry superseded, or that has been
 * reported, gets not_found, as does one that showed a batch which has closed since: it has nothing left to do.
 */
export const getBatchContent = ({ database }: Pick<Dependencies, 'database'>) =>
  handleWritten(operation, async ({ input }) => {
    const tenant = new Tenant(input.organization_id, input.environment);
    const { batch, liveAt } = await findGiven({ database }, tenant, input);
    const { policy, queue_id, opened_at, closed_at } = batch;
    const { template_id, channel_id, recipient_email, recipient_chat_id, destination_id } = policy;
    const { count, json } = input.without_events ? nothing : await contentTextOf(tenant, database, batch);
    // A batch that still collects may have got more in the meantime.
    const isWhole = closed_at ? count === batch.event_count : count >= batch.event_count;
    if (!input.without_events && !isWhole) {
      throw new Error(`batch ${batch.id} has ${count} events and counts ${batch.event_count}`);
    }
    const rest: Omit<ReplyOf<typeof operation>, 'events'> = {
      queue: { id: queue_id, name: policy.name },
      batch: {
        id: batch.id,
        opened_at: opened_at.toISOString(),
        closed_at: closed_at?.toISOString() ?? null,
        close_reason: batch.close_reason,
      },
      live_at: liveAt.toISOString(),
      live: policy.live ?? false,
      template_id,
      channel_id,
      recipient_email,
      recipient_chat_id,
      destination_id,
    };
    return `${JSON.stringify(rest).slice(0, -1)},"events":${json}}`;
  });
