import { eraseOrganizations, runService } from '@stanza/runtime';
import { settings } from './config.ts';
import { createDependencies } from './dependencies.ts';
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
  async start(serviceContext) {
    const dependencies = createDependencies(serviceContext);
    serviceContext.onClose(() => dependencies.chat.close());
    serviceContext.onClose(async () => dependencies.destinations.breakers.close());
    const deferred = startJobs(dependencies, serviceContext.every);
    serviceContext.onClose(() => deferred.close());
    const deliverer = startDeliveries(
      dependencies,
      serviceContext.every,
      serviceContext.settings.STANZA_DELIVERY_DAYS,
    );
    serviceContext.onClose(() => deliverer.close());
    serviceContext.every(
      'forget-messages',
      10 * 60_000,
      forgetMessages(dependencies, serviceContext.settings),
    );
    const interactive = interactivity(dependencies);
    const actions = createActionRunner(interactive);
    serviceContext.every('run-interaction-actions', 200, () => actions.begin());
    serviceContext.onClose(() => actions.close());
    serviceContext.every('end-openings-left', 5_000, () => endOpeningsLeft(interactive));
    serviceContext.every(
      'forget-interactions',
      10 * 60_000,
      forgetInteractions(dependencies, serviceContext.settings),
    );
    const consumers = [deliverBatch(dependencies), eraseOrganizations('delivery', serviceContext)];
    return {
      operations: [
        sendTemplate(dependencies),
        sendBulk(dependencies),
        listMessages(dependencies),
        getMessage(dependencies),
        reportReservations(dependencies),
        reportOperation(dependencies),
        getChatConnection(dependencies),
        replaceChatConnection(dependencies),
        deleteChatConnection(dependencies),
        testChatConnection(dependencies),
        installChatConnection(dependencies),
        chatOauthCallback(dependencies),
        confirmChatConnection(dependencies),
        putChatConnection(dependencies),
        rotateEncryption(dependencies),
        countMessages(dependencies),
        listDestinations(dependencies),
        createDestination(dependencies),
        getDestination(dependencies),
        updateDestination(dependencies),
        deleteDestination(dependencies),
        testDestination(dependencies),
        listDeliveries(dependencies),
        retryDelivery(dependencies),
        getSigningSecret(dependencies),
        rotateSigningSecret(dependencies),
        checkDestination(dependencies),
        createScheduledMessage(dependencies),
        listScheduledMessages(dependencies),
        getScheduledMessage(dependencies),
        cancelScheduledMessage(dependencies),
        listTemplateSchedules(dependencies),
        receiveInteraction(interactive, serviceContext.settings),
        listInteractions(dependencies),
        listDeliveryDeadLetters(serviceContext),
        resolveDeliveryDeadLetter({
          database: serviceContext.database,
          clock: serviceContext.clock,
          log: serviceContext.log,
          consumers,
        }),
      ],
      consumers,
    };
  },
});
