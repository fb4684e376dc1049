import * as contracts from '@stanza/contracts';
import { audit, handle } from '@stanza/runtime';
import type { WriteDependencies } from '../dependencies.ts';
import { requireEventReading } from '../events/event-reading.ts';
import type { EventSubscriptionRow } from '../events/event-tables.ts';
import { namedDestinationId } from '../events/named-destination.ts';
import { presentEventSubscription } from '../events/present-event.ts';
import { lockEventSubscription, writeEventSubscription } from '../events/store/event-subscriptions.ts';

type Fields = Pick<EventSubscriptionRow, 'destination_id' | 'types' | 'description' | 'is_active'>;
type Given = { readonly [K in keyof Fields]?: Fields[K] | undefined };

/** The given values that differ from those of the row; a repeated change has none. */
const changesOf = (
  row: Fields,
  { destination_id, types, description, is_active }: Given,
): Partial<Fields> => ({
  ...(destination_id !== undefined && destination_id !== row.destination_id && { destination_id }),
  ...(types !== undefined && types.join() !== row.types.join() && { types }),
  ...(description !== undefined && description !== row.description && { description }),
  ...(is_active !== undefined && is_active !== row.is_active && { is_active }),
});

/** A description is content: the audit log records only that it changed. */
const audited = (row: Fields, { description, ...changes }: Partial<Fields>): Record<string, unknown> => {
  const before: Readonly<Record<string, unknown>> = { ...row };
  return {
    ...Object.fromEntries(Object.entries(changes).map(([key, to]) => [key, { from: before[key], to }])),
    ...(description !== undefined && { description: 'changed' }),
  };
};

/** Whether a change hands on events that the subscription handed on to nobody, or to someone else. */
const handsOnMore = (row: Fields, { destination_id, types, is_active }: Partial<Fields>): boolean =>
  destination_id !== undefined ||
  is_active === true ||
  (types?.some((type) => !row.types.includes(type)) ?? false);

/** Changes a subscription to events. */
export const updateEventSubscription = ({ database, outbox, clock }: WriteDependencies) =>
  handle(contracts.updateEventSubscription, ({ input: { params, body }, context, principal, tenant }) =>
    database.transaction(async (tx) => {
      const row = await lockEventSubscription(tenant, tx, params.id);
      if (!row) throw contracts.notFound('event subscription');
      const destination_id = await namedDestinationId(tenant, tx, body);
      const changes = changesOf(row, { ...body, destination_id });
      if (Object.keys(changes).length === 0) return presentEventSubscription(row);
      if (handsOnMore(row, changes)) requireEventReading(principal);
      const at = clock.now();
      await writeEventSubscription(tenant, tx, row.id, { ...changes, updated_at: at });
      await audit(tx, outbox, context, {
        action: 'event_subscription.updated',
        subject: { kind: 'event_subscription', id: row.id },
        changes: audited(row, changes),
        at,
      });
      return presentEventSubscription({ ...row, ...changes, updated_at: at });
    }),
  );
