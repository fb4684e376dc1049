import * as contracts from '@stanza/contracts';
import { authorOf, CodedError, limits } from '@stanza/contracts';
import { audit, handle, newId } from '@stanza/runtime';
import type { WriteDependencies } from '../dependencies.ts';
import { requireEventReading } from '../events/event-reading.ts';
import { namedDestinationId } from '../events/named-destination.ts';
import { presentEventSubscription } from '../events/present-event.ts';
import {
  countEventSubscriptions,
  findEventSubscription,
  insertEventSubscription,
} from '../events/store/event-subscriptions.ts';

const tooMany = (): CodedError =>
  new CodedError('invalid_state', {
    message: `The environment has ${limits.eventSubscriptions} subscriptions to events, the most allowed; delete some first, or let one take more types.`,
  });

/** Subscribes a destination to events; a repeat of the operation answers the same. */
export const createEventSubscription = ({ database, outbox, clock }: WriteDependencies) =>
  handle(contracts.createEventSubscription, ({ input: { body }, context, principal, tenant }) => {
    requireEventReading(principal);
    return database.transaction(async (tx) => {
      const { operationId: operation_id } = context;
      // The count waits for others that subscribe, and so for an earlier run of this operation.
      const count = await countEventSubscriptions(tenant, tx);
      const before = await findEventSubscription(tenant, tx, { operation_id });
      if (before) return presentEventSubscription(before);
      const destination_id = await namedDestinationId(tenant, tx, body);
      if (destination_id === undefined) throw contracts.notFound('destination');
      if (count >= limits.eventSubscriptions) throw tooMany();
      const [id, at] = [newId(), clock.now()];
      const { types, description, is_active } = body;
      const row = await insertEventSubscription(tenant, tx, {
        id,
        operation_id,
        destination_id,
        types,
        description: description ?? null,
        is_active,
        created_by: authorOf(principal.actor),
        created_at: at,
        updated_at: at,
      });
      await audit(tx, outbox, context, {
        action: 'event_subscription.created',
        subject: { kind: 'event_subscription', id },
        changes: { destination_id, types, is_active },
        at,
      });
      return presentEventSubscription(row);
    });
  });
