import { eraseOrganizations, runService } from '@stanza/runtime';
import { settings } from './config.ts';
import { deliverBatch } from './consumers/deliver-batch.ts';
import { forgetMessages } from './jobs/forget-messages.ts';
import { startJobs } from './jobs/index.ts';
import { countMessages } from './operations/count-messages.ts';
import { deleteChatConnection } from './operations/delete-chat-connection.ts';
import { getChatConnection } from './operations/get-chat-connection.ts';
import { getMessage } from './operations/get-message.ts';
import { listMessages } from './operations/list-messages.ts';
import { putChatConnection } from './operations/put-chat-connection.ts';
import { replaceChatConnection } from './operations/replace-chat-connection.ts';
import { reportOperation } from './operations/report-operation.ts';
import { reportReservations } from './operations/report-reservations.ts';
import { sendBulk } from './operations/send-bulk.ts';
import { sendTemplate } from './operations/send-template.ts';
import { testChatConnection } from './operations/test-chat-connection.ts';
import { createParts } from './parts.ts';
import { entities } from './store/entities.ts';

await runService({
  name: 'delivery',
  settings,
  entities,
  async start(kit) {
    const parts = createParts(kit);
    kit.onClose(() => parts.chat.close());
    const deferred = startJobs(parts, kit.every);
    kit.onClose(() => deferred.close());
    kit.every('forget-messages', 10 * 60_000, forgetMessages(parts, kit.settings));
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
        putChatConnection(parts),
        countMessages(parts),
      ],
      consumers: [deliverBatch(parts), eraseOrganizations('delivery', kit)],
    };
  },
});
