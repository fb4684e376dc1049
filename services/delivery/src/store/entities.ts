import { entityOf, runtimeEntities } from '@stanza/runtime';
import { channelSlots, methodSlots } from '../chat/slot-tables.ts';
import { chatConnections, chatInstalls } from '../connections/connection-tables.ts';
import { deliveryAttemptEntity, deliveryEntity } from '../destinations/store/deliveries.ts';
import { destinationKeyEntity } from '../destinations/store/destination-keys.ts';
import { destinationEntity } from '../destinations/store/destinations.ts';
import { events } from '../events/event-tables.ts';
import { eventSubscriptionEntity } from '../events/store/event-subscriptions.ts';
import { interactionActionEntity, interactionEntity } from '../interactions/store/interaction-log.ts';
import { messageStates } from '../messages/message-state-tables.ts';
import {
  deferredSends,
  messageContents,
  messageKeys,
  withdrawnOperations,
} from '../messages/message-tables.ts';
import { messageEntity } from '../messages/store/message-log.ts';
import { testTargets } from '../messages/test-target-tables.ts';
import { scheduledRuns } from '../schedules/schedule-tables.ts';
import { scheduledMessageEntity } from '../schedules/store/scheduled-messages.ts';

/** All entities of the service. */
export const entities = [
  entityOf(chatConnections),
  entityOf(chatInstalls),
  messageEntity,
  entityOf(messageStates),
  entityOf(channelSlots),
  entityOf(methodSlots),
  entityOf(withdrawnOperations),
  entityOf(deferredSends),
  destinationEntity,
  destinationKeyEntity,
  deliveryEntity,
  deliveryAttemptEntity,
  scheduledMessageEntity,
  entityOf(scheduledRuns),
  interactionEntity,
  interactionActionEntity,
  entityOf(messageContents),
  entityOf(messageKeys),
  eventSubscriptionEntity,
  entityOf(events),
  entityOf(testTargets),
  ...runtimeEntities,
] as const;
