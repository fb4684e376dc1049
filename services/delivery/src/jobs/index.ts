import { inSteps, type ServiceContext } from '@stanza/runtime';
import { forgetQuietChannels } from '../chat/store/channel-slots.ts';
import { forgetQuietMethods } from '../chat/store/method-slots.ts';
import { forgetInstalls } from '../connections/store/installs.ts';
import type { Dependencies } from '../dependencies.ts';
import { endAbandonedMessages } from '../messages/jobs/abandoned-messages.ts';
import { createDeferredSender } from '../messages/jobs/deferred-sends.ts';
import { createLookups } from '../messages/jobs/unknown-messages.ts';
import { orderBatch } from '../messages/origins/batch.ts';
import { nextAbandoned, nextLookup } from '../messages/store/abandoned-messages.ts';
import { forgetDeferred, nextDeferred } from '../messages/store/deferred-sends.ts';
import { forgetKeys } from '../messages/store/message-keys.ts';
import { forgetBegun, forgetWithdrawn } from '../messages/store/reservations.ts';
import { beginDueRuns } from '../schedules/jobs/due-runs.ts';
import { orderScheduled } from '../schedules/order-scheduled.ts';
import { forgetEndedSchedules, nextRun } from '../schedules/store/scheduled-messages.ts';
import { forgetRuns } from '../schedules/store/scheduled-runs.ts';
import { dropSurplusData } from '../schedules/store/surplus-data.ts';
import { measureWaiting } from './measure-waiting.ts';

const forgetMs = 10 * 60_000;

/** Starts the background work of the service. Every replica does it; row locks keep them apart. */
export const startJobs = (
  dependencies: Dependencies,
  { every, whenDue }: Pick<ServiceContext<unknown>, 'every' | 'whenDue'>,
): void => {
  const deferred = createDeferredSender(dependencies, {
    batch: orderBatch(dependencies),
    schedule: orderScheduled(dependencies),
  });
  const { database, log, allowances } = dependencies;
  whenDue('send-deferred', {
    next: () => nextDeferred(database),
    run: () => deferred.begin(),
    close: () => deferred.close(),
  });
  whenDue('begin-due-runs', { next: () => nextRun(database), run: beginDueRuns(dependencies) });
  every('measure-settled-log', 15_000, async () => void (await dependencies.settledLog.place()));
  every('measure-waiting', 15_000, measureWaiting(dependencies));
  const lookups = createLookups(dependencies);
  whenDue('end-abandoned-messages', {
    next: () => nextAbandoned(database),
    run: async (signal) => {
      // Those that were being posted are looked up at once.
      if ((await endAbandonedMessages(dependencies, signal)) > 0) await lookups.begin();
    },
  });
  whenDue('look-up-unknown-messages', {
    next: () => nextLookup(database),
    run: () => lookups.begin(),
    close: () => lookups.close(),
  });
  const forget = inSteps(log, {
    'forget channels': () => forgetQuietChannels(database),
    'forget methods': () => forgetQuietMethods(database),
    'forget begun operations': () => forgetBegun(database),
    'forget withdrawn operations': () => forgetWithdrawn(database),
    'forget message keys': () => forgetKeys(database),
    'forget deferred messages': () => forgetDeferred(database),
    'forget runs': () => forgetRuns(database),
    'forget schedules': () => forgetEndedSchedules(database),
    'drop data of ended schedules': () => dropSurplusData(database, allowances),
    'forget installations': () => forgetInstalls(database),
  });
  every('forget', forgetMs, forget);
};
