import { inSteps, type ServiceContext } from '@stanza/runtime';
import { forgetQuietChannels } from '../chat/store/channel-slots.ts';
import { forgetQuietMethods } from '../chat/store/method-slots.ts';
import { forgetInstalls } from '../connections/store/installs.ts';
import type { Dependencies } from '../dependencies.ts';
import { endAbandonedMessages } from '../messages/jobs/abandoned-messages.ts';
import { createDeferredSender, measureWaiting } from '../messages/jobs/deferred-sends.ts';
import { createLookups } from '../messages/jobs/unknown-messages.ts';
import { orderBatch } from '../messages/origins/batch.ts';
import { nextAbandoned, nextLookup } from '../messages/store/abandoned-messages.ts';
import { forgetDeferred, nextDeferred } from '../messages/store/deferred-sends.ts';
import { forgetBegun, forgetWithdrawn } from '../messages/store/reservations.ts';
import { beginDueRuns } from '../schedules/jobs/due-runs.ts';
import { forgetPastRuns, forgetSchedules } from '../schedules/jobs/forget-schedules.ts';
import { orderScheduled } from '../schedules/order-scheduled.ts';
import { nextRun } from '../schedules/store/scheduled-messages.ts';

const forgetMs = 10 * 60_000;
/** Milliseconds for which a withdrawn operation is kept; no request lives longer than half a minute. */
const withdrawnMs = 24 * 60 * 60_000;
/** Milliseconds for which the key of a request is kept that has its messages, which do as well. */
const begunMs = 60 * 60_000;

/**
 * Starts the background work of the service. Every replica does it; row locks keep them apart.
 * @returns what ends it at a shutdown
 */
export const startJobs = (
  dependencies: Dependencies,
  { every, whenDue }: Pick<ServiceContext<unknown>, 'every' | 'whenDue'>,
): (() => Promise<void>) => {
  const deferred = createDeferredSender(dependencies, {
    batch: orderBatch(dependencies),
    schedule: orderScheduled(dependencies),
  });
  const { database, clock, log } = dependencies;
  whenDue('send-deferred', { next: () => nextDeferred(database), run: () => deferred.begin() });
  whenDue('begin-due-runs', { next: () => nextRun(database), run: beginDueRuns(dependencies) });
  every('measure-settled-log', 15_000, async () => void (await dependencies.settledLog.place()));
  every('measure-deferred', 15_000, measureWaiting(dependencies));
  const lookups = createLookups(dependencies);
  whenDue('end-abandoned-messages', {
    next: () => nextAbandoned(database),
    run: async (signal) => {
      // Those that were being posted are looked up at once.
      if ((await endAbandonedMessages(dependencies, signal)) > 0) await lookups.begin();
    },
  });
  whenDue('look-up-unknown-messages', { next: () => nextLookup(database), run: () => lookups.begin() });
  const ago = (milliseconds: number) => new Date(clock.now().getTime() - milliseconds);
  const forget = inSteps(log, {
    'forget channels': () => forgetQuietChannels(database),
    'forget methods': () => forgetQuietMethods(database),
    'forget begun operations': () => forgetBegun(database, ago(begunMs)),
    'forget withdrawn operations': () => forgetWithdrawn(database, ago(withdrawnMs)),
    'forget deferred messages': () => forgetDeferred(database, ago(withdrawnMs)),
    'forget runs': () => forgetPastRuns(dependencies),
    'forget schedules': () => forgetSchedules(dependencies),
    'forget installations': () => forgetInstalls(database),
  });
  every('forget', forgetMs, forget);
  return async () => {
    await Promise.all([deferred.close(), lookups.close()]);
  };
};
