import {
  batchMessageKey,
  CodedError,
  type DigestPayload,
  digestData,
  getBatchContent,
  type InputOf,
  type LeftOut,
  type ReplyOf,
  renderTemplate,
} from '@stanza/contracts';
import { checkActive } from '../../active-organization.ts';
import { recipientOf } from '../../chat/recipients.ts';
import type { Dependencies } from '../../dependencies.ts';
import { orderDelivery } from '../../destinations/order-delivery.ts';
import { type PlaceOrder, passedOn } from '../deferred.ts';
import type { MessageOrder } from '../message.ts';
import type { DeferredSendRow } from '../message-tables.ts';
import { reportLeftOut } from '../settle.ts';
import { endDeferred, holdLease } from '../store/deferred-sends.ts';
import { isKeyTaken } from '../store/message-keys.ts';

type Facts = Parameters<PlaceOrder>[1];
type Content = ReplyOf<typeof getBatchContent>;

/** The digest as a message, for a queue that has both a template and a destination. */
const messageOf = async (
  { rpc }: Pick<Dependencies, 'rpc'>,
  { template_id, live_at, ...content }: Content,
  { tenant, context }: Facts,
): Promise<{ message?: DigestPayload['message']; leftOut?: LeftOut | undefined }> => {
  if (template_id === null) return {};
  const whose = { organization_id: tenant.organizationId, environment: tenant.environment };
  const data = digestData(content);
  const { blocks, text, version_id, version_number, left_out } = await rpc.call(
    renderTemplate,
    { ...whose, template_id, data, live_at, digest: true },
    context,
  );
  return { message: { template_id, version_id, version_number, blocks, text }, leftOut: left_out };
};

/** Passes a batch on to its destination: the delivery then owns the outcome, and reports it. */
const passOn = async (
  dependencies: Pick<Dependencies, 'rpc' | 'database' | 'clock' | 'outbox'>,
  row: DeferredSendRow,
  destinationId: string,
  content: Content,
  facts: Facts,
): Promise<typeof passedOn> => {
  const { leftOut, ...message } = await messageOf(dependencies, content, facts);
  const payload: DigestPayload = { ...digestData(content), ...message };
  const { traceparent } = facts.context;
  const { operation_id: operationId, origin_id: originId } = row;
  await dependencies.database.transaction(async (tx) => {
    await holdLease(facts.tenant, tx, row);
    const order = {
      destinationId,
      operationId,
      origin: 'batch' as const,
      originId,
      payload,
      traceparent,
    };
    await orderDelivery(facts.tenant, tx, order);
    await reportLeftOut(dependencies.outbox, tx, facts.tenant, { operationId, originId, leftOut });
    await endDeferred(facts.tenant, tx, operationId);
  });
  return passedOn;
};

/**
 * How a live batch is shown: as one message, which is updated; a retry posts another where that one is gone. Processes of
 * the previous version do not say that it is live.
 */
const livingOf = async (
  { rpc, database }: Pick<Dependencies, 'rpc' | 'database'>,
  { live, batch }: Content,
  input: InputOf<typeof getBatchContent>,
  { tenant, context }: Facts,
): Promise<Pick<MessageOrder, 'keyed' | 'interim'>> => {
  const key = batchMessageKey(batch.id);
  if (!(live ?? (await isKeyTaken(tenant, database, key)))) return {};
  const keyed = { key, onExisting: 'update' } as const;
  if (batch.closed_at !== null) return { keyed };
  const stillCollects = async (): Promise<void> => {
    await rpc.call(getBatchContent, { ...input, without_events: true }, context);
  };
  return { keyed, interim: { stillCollects } };
};

/**
 * Makes the digest of a batch: the events are read from their owner each time, because this service stores no content.
 * The version is the one that was live when the batch was closed, however late the digest is sent.
 */
export const orderBatch =
  (dependencies: Pick<Dependencies, 'rpc' | 'database' | 'clock' | 'outbox'>): PlaceOrder =>
  async (row, facts) => {
    const { organizationId: organization_id, environment } = facts.tenant;
    await checkActive(dependencies, facts.tenant, facts.context);
    const batch = { batch_id: row.origin_id, operation_id: row.operation_id };
    const input = { organization_id, environment, ...batch, updates: true };
    const content = await dependencies.rpc.call(getBatchContent, input, facts.context);
    const { queue, template_id, live_at, destination_id, ...target } = content;
    if (destination_id !== null) return passOn(dependencies, row, destination_id, content, facts);
    if (template_id === null)
      throw new CodedError('invalid_state', { message: 'The queue has no template.' });
    return {
      ...facts,
      actorId: `queue:${queue.id}`,
      origin: row.origin,
      originId: row.origin_id,
      compilation: { template_id, data: digestData(content), live_at, digest: true },
      recipient: recipientOf(target),
      threadTs: null,
      ...(await livingOf(dependencies, content, input, facts)),
    };
  };
