import { entityOf, runtimeEntities } from '@stanza/runtime';
import { chatConnections, chatInstalls } from '../connections/connection-tables.ts';
import { deliveries, deliveryAttempts, destinations } from '../destinations/destination-tables.ts';
import { destinationKeyEntity } from '../destinations/store/destination-keys.ts';
import { eventSubscriptions, events } from '../events/event-tables.ts';
import { interactionActions, interactions, messageContents } from '../interactions/interaction-tables.ts';
import { messageStates } from '../messages/message-state-table.ts';
import {
  channelSlots,
  deferredSends,
  messages,
  methodSlots,
  withdrawnOperations,
} from '../messages/message-tables.ts';
import { testTargets } from '../messages/test-target-tables.ts';
import { scheduledMessages, scheduledRuns } from '../schedules/schedule-tables.ts';

/** The entity of {@link chatConnections}. */
export const connectionEntity = entityOf(chatConnections);

/** The entity of {@link chatInstalls}. */
export const chatInstallEntity = entityOf(chatInstalls);

/** The entity of {@link messages}. */
export const messageEntity = entityOf(messages);

/** The entity of {@link messageStates}. */
export const messageStateEntity = entityOf(messageStates);

/** The entity of {@link channelSlots}. */
export const channelSlotEntity = entityOf(channelSlots);

/** The entity of {@link methodSlots}. */
export const methodSlotEntity = entityOf(methodSlots);

/** The entity of {@link withdrawnOperations}. */
export const withdrawnOperationEntity = entityOf(withdrawnOperations);

/** The entity of {@link deferredSends}. */
export const deferredSendEntity = entityOf(deferredSends);

/** The entity of {@link destinations}. */
export const destinationEntity = entityOf(destinations);

/** The entity of {@link deliveries}. */
export const deliveryEntity = entityOf(deliveries);

/** The entity of {@link deliveryAttempts}. */
export const deliveryAttemptEntity = entityOf(deliveryAttempts);

/** The entity of {@link scheduledMessages}. */
export const scheduledMessageEntity = entityOf(scheduledMessages);

/** The entity of {@link scheduledRuns}. */
export const scheduledRunEntity = entityOf(scheduledRuns);

/** The entity of {@link interactions}. */
export const interactionEntity = entityOf(interactions);

/** The entity of {@link interactionActions}. */
export const interactionActionEntity = entityOf(interactionActions);

/** The entity of {@link messageContents}. */
export const messageContentEntity = entityOf(messageContents);

/** The entity of {@link eventSubscriptions}. */
export const eventSubscriptionEntity = entityOf(eventSubscriptions);

/** The entity of {@link events}. */
export const eventEntity = entityOf(events);

/** The entity of {@link testTargets}. */
export const testTargetsEntity = entityOf(testTargets);

/** All entities of the service. */
export const entities = [
  connectionEntity,
  chatInstallEntity,
  messageEntity,
  messageStateEntity,
  channelSlotEntity,
  methodSlotEntity,
  withdrawnOperationEntity,
  deferredSendEntity,
  destinationEntity,
  destinationKeyEntity,
  deliveryEntity,
  deliveryAttemptEntity,
  scheduledMessageEntity,
  scheduledRunEntity,
  interactionEntity,
  interactionActionEntity,
  messageContentEntity,
  eventSubscriptionEntity,
  eventEntity,
  testTargetsEntity,
  ...runtimeEntities,
] as const;
