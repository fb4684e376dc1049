import {
  CodedError,
  listDestinationQueues,
  listEvents,
  listInteractions,
  mayCall,
  type Principal,
  pushEvents,
  requiredScopes,
  type Scope,
  updateDestination,
} from '@stanza/contracts';
import type { CallContext, RpcClient, Tenant, Transaction } from '@stanza/runtime';
import { waitingOrigins } from '../destinations/store/deliveries.ts';
import { subscriptionsOf } from './store/event-subscriptions.ts';

/** What a destination gets, and the operation whose scope lets a caller read it elsewhere. */
const readBy = { event: listEvents, batch: pushEvents, interaction: listInteractions } as const;

type Content = keyof typeof readBy;

const scopesFor = (content: Content): readonly Scope[] => requiredScopes(readBy[content]);

const mayRead = (principal: Principal, content: Content): boolean => mayCall(principal, readBy[content]);

const refused = ({ scopes }: Principal, content: Content): CodedError => {
  const needed = scopesFor(content);
  return new CodedError('insufficient_scope', {
    message: `Another address hands on what goes to the destination and requires the scope ${needed.join(', ')} besides destinations:write.`,
    required_scopes: [...requiredScopes(updateDestination), ...needed],
    user_scopes: [...scopes],
    nothing_done: true,
  });
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
 * Requires the scopes by which what goes to a destination is read: with another address it goes to whom the caller
 * wants. A message that is in a chat may name any destination, long before someone uses its elements: nothing tells of
 * it.
 * @throws CodedError `insufficient_scope`
 */
export const requireReading = async (
  tenant: Tenant,
  tx: Transaction,
  principal: Principal,
  { id, isOfQueues }: { id: string; isOfQueues: boolean },
): Promise<void> => {
  const waiting = await waitingOrigins(tenant, tx, id);
  const isSubscribed = waiting.has('event') || (await subscriptionsOf(tenant, tx, id)).length > 0;
  const got = { event: isSubscribed, batch: isOfQueues || waiting.has('batch'), interaction: true };
  for (const content of ['event', 'batch', 'interaction'] as const)
    if (got[content] && !mayRead(principal, content)) throw refused(principal, content);
};
