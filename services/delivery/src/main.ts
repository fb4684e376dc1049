import { eraseOrganizations, runService } from '@stanza/runtime';
import { settings } from './config.ts';
import { createParts } from './dependencies.ts';
import { startDeliveries } from './destinations/jobs/destination-deliveries.ts';
import { interactivity } from './interactions/dependencies.ts';
import { forgetInteractions } from './interactions/jobs/forget-interactions.ts';
import { createActionRunner, endOpeningsLeft } from './interactions/jobs/interaction-actions.ts';
import { startJobs } from './jobs/index.ts';
import { deliverBatch } from './messages/deliver-batch.ts';
import { forgetMessages } from './messages/jobs/forget-messages.ts';
import { cancelScheduledMessage } from './operations/cancel-scheduled-message.ts';
import { chatOauthCallback } from './operations/chat-oauth-callback.ts';
import { checkDestination } from './operations/check-destination.ts';
import { confirmChatConnection } from './operations/confirm-chat-connection.ts';
import { countMessages } from './operations/count-messages.ts';
import { createDestination } from './operations/create-destination.ts';
import { createScheduledMessage } from './operations/create-scheduled-message.ts';
import { deleteChatConnection } from './operations/delete-chat-connection.ts';
import { deleteDestination } from './operations/delete-destination.ts';
import { getChatConnection } from './operations/get-chat-connection.ts';
import { getDestination } from './operations/get-destination.ts';
import { getMessage } from './operations/get-message.ts';
import { getScheduledMessage } from './operations/get-scheduled-message.ts';
import { getSigningSecret } from './operations/get-signing-secret.ts';
import { installChatConnection } from './operations/install-chat-connection.ts';
import { listDeliveries } from './operations/list-deliveries.ts';
import { listDeliveryDeadLetters } from './operations/list-delivery-dead-letters.ts';
import { listDestinations } from './operations/list-destinations.ts';
import { listInteractions } from './operations/list-interactions.ts';
import { listMessages } from './operations/list-messages.ts';
import { listScheduledMessages } from './operations/list-scheduled-messages.ts';
import { listTemplateSchedules } from './operations/list-template-schedules.ts';
import { putChatConnection } from './operations/put-chat-connection.ts';
import { receiveInteraction } from './operations/receive-interaction.ts';
import { replaceChatConnection } from './operations/replace-chat-connection.ts';
import { reportOperation } from './operations/report-operation.ts';
import { reportReservations } from './operations/report-reservations.ts';
import { resolveDeliveryDeadLetter } from './operations/resolve-delivery-dead-letter.ts';
import { retryDelivery } from './operations/retry-delivery.ts';
import { rotateEncryption } from './operations/rotate-encryption.ts';
import { rotateSigningSecret } from './operations/rotate-signing-secret.ts';
import { sendBulk } from './operations/send-bulk.ts';
import { sendTemplate } from './operations/send-template.ts';
import { testChatConnection } from './operations/test-chat-connection.ts';
import { testDestination } from './operations/test-destination.ts';
import { updateDestination } from './operations/update-destination.ts';
import { entities } from './store/entities.ts';
import { migrations } from './store/migrations/index.ts';

await runService({
  name: 'delivery',
  settings,
  entities,
  migrations,
  async start(kit) {
    const parts = createParts(kit);
    kit.onClose(() => parts.chat.close());
    kit.onClose(async () => parts.destinations.breakers.close());
    const deferred = startJobs(parts, kit.every);
    kit.onClose(() => deferred.close());
    const deliverer = startDeliveries(parts, kit.every, kit.settings.STANZA_DELIVERY_DAYS);
    kit.onClose(() => deliverer.close());
    kit.every('forget-messages', 10 * 60_000, forgetMessages(parts, kit.settings));
    const interactive = interactivity(parts);
    const actions = createActionRunner(interactive);
    kit.every('run-interaction-actions', 200, () => actions.begin());
    kit.onClose(() => actions.close());
    kit.every('end-openings-left', 5_000, () => endOpeningsLeft(interactive));
    kit.every('forget-interactions', 10 * 60_000, forgetInteractions(parts, kit.settings));
    const consumers = [deliverBatch(parts), eraseOrganizations('delivery', kit)];
    return {
      operations: [
        sendTemplate(parts),
        sendBulk(parts),
        listMessages(parts),
        getMessage(parts),
        reportReservations(parts),
        reportOperation(parts),
        getChatConnection(parts),
        replaceChatConnection(parts),
        deleteChatConnection(parts),
        testChatConnection(parts),
        installChatConnection(parts),
        chatOauthCallback(parts),
        confirmChatConnection(parts),
        putChatConnection(parts),
        rotateEncryption(parts),
        countMessages(parts),
        listDestinations(parts),
        createDestination(parts),
        getDestination(parts),
        updateDestination(parts),
        deleteDestination(parts),
        testDestination(parts),
        listDeliveries(parts),
        retryDelivery(parts),
        getSigningSecret(parts),
        rotateSigningSecret(parts),
        checkDestination(parts),
        createScheduledMessage(parts),
        listScheduledMessages(parts),
        getScheduledMessage(parts),
        cancelScheduledMessage(parts),
        listTemplateSchedules(parts),
        receiveInteraction(interactive, kit.settings),
        listInteractions(parts),
        listDeliveryDeadLetters(kit),
        resolveDeliveryDeadLetter({ database: kit.database, clock: kit.clock, log: kit.log, consumers }),
      ],
      consumers,
    };
  },
});
