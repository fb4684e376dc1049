import type { Tenant, Transaction } from '@stanza/runtime';
import type { InteractivityDependencies } from './dependencies.ts';
import type { InteractionRow } from './interaction-tables.ts';
import type { Plan } from './plan.ts';
import { insertActions, insertInteraction, type NewInteraction } from './store/interactions.ts';

/** The row of a new interaction. */
export type Incoming = Omit<NewInteraction, 'opening' | 'rest'>;

/**
 * Stores an interaction and its actions: from here on each is run, even if this process dies.
 * @param also other writes of the same transaction
 * @returns undefined when it was delivered before
 */
export const writeDown = async (
  dependencies: InteractivityDependencies,
  tenant: Tenant,
  incoming: Incoming,
  plan: Plan,
  also: (tx: Transaction) => Promise<void> = async () => undefined,
): Promise<InteractionRow | undefined> => {
  const row: NewInteraction = { ...incoming, opening: plan.opening, rest: plan.rest };
  const { id: interaction_id, message_id } = row;
  const listed = plan.opening ? [...plan.now, plan.opening] : plan.now;
  const actions = listed.map((action, position) => ({
    interaction_id,
    position,
    type: action.type,
    action,
    message_id,
    traceparent: dependencies.tracing.current(),
  }));
  const created_at = await dependencies.database.transaction(async (tx) => {
    const at = await insertInteraction(tenant, tx, row);
    if (!at) return undefined;
    await insertActions(tenant, tx, actions);
    await also(tx);
    return at;
  });
  const { organizationId: organization_id, environment } = tenant;
  return created_at && { ...row, created_at, organization_id, environment, response: null };
};
