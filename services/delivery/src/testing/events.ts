import type {
  createEventSubscription as declaration,
  EventSubscription,
  InputOf,
  listEvents as listing,
  Principal,
  PublicEvent,
  PublicEventType,
} from '@stanza/contracts';
import { publicEventTypes } from '@stanza/contracts';
import type { Dependencies } from '../dependencies.ts';
import { createEventSubscription } from '../operations/create-event-subscription.ts';
import { listEvents } from '../operations/list-events.ts';
import { type DestinationBody, newDestination } from './deliveries.ts';
import { ask } from './world.ts';

/** Subscribes a destination of its own to events; to all of them unless told of others. */
export const subscribe = async (
  dependencies: Dependencies,
  principal: Principal,
  types: readonly PublicEventType[] = publicEventTypes,
  destination: Partial<DestinationBody> = {},
): Promise<EventSubscription> => {
  const { id: destination_id } = await newDestination(dependencies, principal, destination);
  const body: InputOf<typeof declaration>['body'] = { destination_id, types: [...types], is_active: true };
  return ask(createEventSubscription(dependencies), { body }, principal);
};

/** The events of an environment, oldest first. */
export const eventsOf = async (
  dependencies: Pick<Dependencies, 'database'>,
  principal: Principal,
  query: Partial<InputOf<typeof listing>['query']> = {},
): Promise<PublicEvent[]> => {
  const { data } = await ask(listEvents(dependencies), { query: { count: 100, ...query } }, principal);
  return data.reverse();
};
