import {
  CodedError,
  type Delivery,
  getDelivery,
  listDestinationQueues,
  listEvents,
  listInteractions,
  mayCall,
  type Principal,
  pushEvents,
  requiredScopes,
  updateDestination,
} from '@stanza/contracts';
import type { CallContext, RpcClient, Tenant, Transaction } from '@stanza/runtime';
import { originsToSend } from '../destinations/store/deliveries.ts';
import { subscriptionsOf } from './store/event-subscriptions.ts';

/** What a destination gets, and the operation whose scope lets a caller read it elsewhere. */
const readBy = { event: listEvents, batch: pushEvents, interaction: listInteractions } as const;

type Content = keyof typeof readBy;

const contents = ['event', 'batch', 'interaction'] as const satisfies readonly Content[];

const mayRead = (principal: Principal, content: Content): boolean => mayCall(principal, readBy[content]);

const refused = (
  { scopes }: Principal,
  content: Content,
  operation: typeof getDelivery | typeof updateDestination,
  what: string,
): CodedError => {
  const needed = requiredScopes(readBy[content]);
  return new CodedError('insufficient_scope', {
    message: `${what} requires the scope ${needed.join(', ')} besides destinations:write.`,
    required_scopes: [...requiredScopes(operation), ...needed],
    user_scopes: [...scopes],
    nothing_done: true,
  });
};

/** What a caller may not read elsewhere of what a delivery carries; a test carries what its caller gave. */
const unreadOf = (principal: Principal, origin: Delivery['origin']): Content | undefined =>
  contents.find((it) => it === origin && !mayRead(principal, it));

/** Whether a caller may read what a delivery carries, which the answer of its receiver may repeat. */
export const mayReadPayload = (principal: Principal, origin: Delivery['origin']): boolean =>
  unreadOf(principal, origin) === undefined;

/**
 * Requires the scope by which what a delivery carries is read elsewhere.
 * @throws CodedError `insufficient_scope`
 */
export const requirePayloadReading = (principal: Principal, origin: Delivery['origin']): void => {
  const content = unreadOf(principal, origin);
  if (content === undefined) return;
  throw refused(principal, content, getDelivery, `The payload of a delivery of the origin ${content}`);
};

/** Whether queues or their batches deliver to a destination; asked only for a caller who may not read their events. */
export const isOfUnreadQueues = async (
  { rpc }: { rpc: RpcClient },
  { tenant, principal, context }: { tenant: Tenant; principal: Principal; context: CallContext },
  destination_id: string,
): Promise<boolean> => {
  if (mayRead(principal, 'batch')) return false;
  const { organizationId: organization_id, environment } = tenant;
  const asked = { organization_id, environment, destination_id };
  const { queues, batches = [] } = await rpc.call(listDestinationQueues, asked, context);
  return queues.length + batches.length > 0;
};

/**
 * Requires the scopes by which what goes to a destination is read, or may go there once it is retried: with another address
 * it goes to whom the caller wants. A message that is in a chat may name any destination, long before someone uses its
 * elements: nothing tells of it.
 * @throws CodedError `insufficient_scope`
 */
export const requireReading = async (
  tenant: Tenant,
  tx: Transaction,
  principal: Principal,
  { id, isOfQueues }: { id: string; isOfQueues: boolean },
): Promise<void> => {
  const unread = contents.filter((content) => !mayRead(principal, content));
  if (unread.length === 0) return;
  const kept = await originsToSend(tenant, tx, id);
  const isSubscribed = kept.has('event') || (await subscriptionsOf(tenant, tx, id)).length > 0;
  const got = { event: isSubscribed, batch: isOfQueues || kept.has('batch'), interaction: true };
  const handedOn = unread.find((content) => got[content]);
  if (handedOn === undefined) return;
  const what = 'Another address hands on what goes to the destination and';
  throw refused(principal, handedOn, updateDestination, what);
};
