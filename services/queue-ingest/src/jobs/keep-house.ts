import { inSteps, type Logger } from '@stanza/runtime';
import type { QueueIngestSettings } from '../config.ts';
import type { Dependencies } from '../dependencies.ts';
import {
  deleteDailyEvents,
  deleteDelivered,
  deleteEventKeys,
  deleteLeft,
  deletePushAnswers,
} from '../store/housekeeping.ts';
import { dropSpentPartitions, makePartitions } from './keep-partitions.ts';

/** Days for which the answers of pushes are kept: longer than any idempotency key is replayed or settled. */
export const answerDays = 90;
/** Days for which daily counters are kept for inspection. */
const counterDays = 40;

/**
 * Creates the partitions of the coming days, and deletes rows past their retention: delivered batches and their events,
 * keys of events, answers of pushes. Open, failed and unknown batches stay, and so do their partitions, until their queue
 * has been deleted for as long.
 */
export const keepHouse = (
  dependencies: Pick<Dependencies, 'database' | 'metrics'>,
  { STANZA_EVENT_DAYS: eventDays }: Pick<QueueIngestSettings, 'STANZA_EVENT_DAYS'>,
  log: Logger,
) => {
  const { database } = dependencies;
  return inSteps(log, {
    'make partitions': makePartitions(dependencies, log),
    'delete batches': async () => {
      const deleted = await deleteDelivered(database, eventDays);
      if (deleted > 0) log.info({ count: deleted }, 'delivered batches were deleted');
    },
    'delete what deleted queues have left': async () => {
      const deleted = await deleteLeft(database, eventDays);
      if (deleted > 0) log.info({ count: deleted }, 'undelivered batches of deleted queues were deleted');
    },
    'delete keys': () => deleteEventKeys(database),
    'delete answers': () => deletePushAnswers(database, answerDays),
    'delete counters': () => deleteDailyEvents(database, counterDays),
    'drop partitions': () => dropSpentPartitions(dependencies, eventDays, log),
  });
};
