import { CodedError, getBatchContent as operation } from '@stanza/contracts';
import { handle, Tenant } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { beginDelivery } from '../store/batches.ts';
import { contentOf } from '../store/events.ts';

/**
 * Gives a batch to delivery, and marks it as delivering. A delivery that a retry superseded, or that has been reported,
 * gets not_found: it has nothing left to do.
 */
export const getBatchContent = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ input }) => {
    const tenant = new Tenant(input.organization_id, input.environment);
    const batch = await beginDelivery(tenant, database, input.batch_id, input.operation_id);
    if (!batch) throw new CodedError('not_found', { message: 'The delivery does not exist or has ended.' });
    const { policy, queue_id, opened_at, closed_at, live_at } = batch;
    const { template_id, channel_id, recipient_email, recipient_chat_id, destination_id } = policy;
    const events = await contentOf(tenant, database, batch);
    if (events.length !== batch.event_count) {
      throw new Error(`batch ${batch.id} has ${events.length} events and counts ${batch.event_count}`);
    }
    return {
      queue: { id: queue_id, name: policy.name },
      batch: {
        id: batch.id,
        opened_at: opened_at.toISOString(),
        closed_at: closed_at?.toISOString() ?? null,
        close_reason: batch.close_reason,
      },
      live_at: (live_at ?? closed_at ?? opened_at).toISOString(),
      template_id,
      channel_id,
      recipient_email,
      recipient_chat_id,
      destination_id,
      events,
    };
  });
