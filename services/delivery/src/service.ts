import { defineService, eraseOrganizations, followAllowances, handlersFrom } from '@stanza/runtime';
import { settings } from './config.ts';
import { createDependencies } from './dependencies.ts';
import { startDeliveries } from './destinations/jobs/destination-deliveries.ts';
import { forgetEvents } from './events/store/events.ts';
import { interactivity } from './interactions/dependencies.ts';
import { forgetInteractions } from './interactions/jobs/forget-interactions.ts';
import { createActionRunner, endOpeningsLeft } from './interactions/jobs/interaction-actions.ts';
import { nextAction } from './interactions/store/interaction-actions.ts';
import { startJobs } from './jobs/index.ts';
import { forgetMessages } from './messages/jobs/forget-messages.ts';
import * as operations from './operations/index.ts';
import { entities } from './store/entities.ts';
import { migrations } from './store/migrations/index.ts';

/** The delivery service. */
export const service = defineService({
  name: 'delivery',
  settings,
  entities,
  migrations,
  reports: { statementMs: 2_000 },
  async start(serviceContext) {
    const dependencies = createDependencies({
      ...serviceContext,
      allowances: followAllowances(serviceContext),
    });
    serviceContext.onClose(() => dependencies.chat.close());
    serviceContext.onClose(() => dependencies.retriedWithdrawals.finish());
    serviceContext.onClose(async () => dependencies.destinations.breakers.close());
    startJobs(dependencies, serviceContext);
    startDeliveries(dependencies, serviceContext, serviceContext.settings.STANZA_DELIVERY_DAYS);
    serviceContext.every(
      'forget-messages',
      10 * 60_000,
      forgetMessages(dependencies, serviceContext.settings),
    );
    const interactive = interactivity(dependencies);
    const actions = createActionRunner(interactive);
    serviceContext.whenDue('run-interaction-actions', {
      next: () => nextAction(dependencies.database),
      run: () => actions.begin(),
      close: () => actions.close(),
    });
    serviceContext.every('end-openings-left', 15_000, () => endOpeningsLeft(interactive));
    serviceContext.every(
      'forget-interactions',
      10 * 60_000,
      forgetInteractions(dependencies, serviceContext.settings),
    );
    const { STANZA_EVENT_DAYS: eventDays } = serviceContext.settings;
    serviceContext.every('forget-events', 10 * 60_000, async () => {
      await forgetEvents(dependencies.database, eventDays);
    });
    const signingSecret = serviceContext.settings.STANZA_CHAT_SIGNING_SECRET;
    const handlers = handlersFrom(operations, { ...interactive, signingSecret });
    return { operations: [...handlers, eraseOrganizations('delivery', serviceContext)] };
  },
});
