import { CodedError, getBatchContent } from '@stanza/contracts';
import { recipientOf } from '../domain/recipient.ts';
import type { Parts } from '../parts.ts';
import type { PlaceOrder } from '../sending/deferred.ts';

/**
 * Orders the digest of a batch: the events come from their owner each time, because this service keeps no content. The
 * version is the one that was live when the batch was closed, however late the digest is sent.
 */
export const orderBatch =
  ({ rpc }: Pick<Parts, 'rpc'>): PlaceOrder =>
  async (row, facts) => {
    const { organizationId: organization_id, environment } = facts.tenant;
    const input = { organization_id, environment, batch_id: row.origin_id, operation_id: row.operation_id };
    const { queue, batch, events, template_id, live_at, ...target } = await rpc.call(
      getBatchContent,
      input,
      facts.context,
    );
    if (template_id === null)
      throw new CodedError('invalid_state', { message: 'The queue has no template.' });
    const data = { queue, batch, events, event_count: events.length, first: events[0], last: events.at(-1) };
    return {
      ...facts,
      actorId: `queue:${queue.id}`,
      origin: row.origin,
      originId: row.origin_id,
      compilation: { template_id, data, live_at },
      recipient: recipientOf(target),
      threadTs: null,
    };
  };
