import { metricCatalogue } from '@stanza/contracts';
import type { Logger } from '@stanza/runtime';
import type { QueueIngestSettings } from '../config.ts';
import type { Parts } from '../parts.ts';
import {
  daysWithPartition,
  deleteDailyEvents,
  deleteDelivered,
  deleteEventKeys,
  deletePushAnswers,
  dropEventPartition,
  isDefaultUsed,
  makeEventPartitions,
} from '../store/housekeeping.ts';

const dayMs = 24 * 3_600_000;
/** Days for which partitions are made ahead: a week without this job does no harm. */
const daysAhead = 7;
/** Days for which the answers of pushes are kept: longer than any idempotency key is replayed or settled. */
const answerDays = 90;
/** Days for which the counters of days are kept, to be looked at. */
const counterDays = 40;

const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10);
/** How many days from the one given on are there one after the other. */
const daysInARow = (days: ReadonlySet<string>, at: Date): number => {
  let ahead = 0;
  while (days.has(dayOf(new Date(at.getTime() + ahead * dayMs)))) ahead += 1;
  return ahead;
};
const daysBefore = (at: Date, days: number): Date => new Date(at.getTime() - days * dayMs);

/**
 * Makes the partitions of the coming days, and deletes what has outlived its time: delivered batches and their events,
 * keys of events, answers of pushes. What is open, failed or unknown stays, and so does its partition.
 */
export const keepHouse = (
  { database, clock, metrics }: Pick<Parts, 'database' | 'clock' | 'metrics'>,
  settings: Pick<QueueIngestSettings, 'STANZA_EVENT_DAYS'>,
  log: Logger,
) => {
  const defaultUsed = metrics.gauge(metricCatalogue.queues.partitionMissing);
  const ahead = metrics.gauge(metricCatalogue.queues.partitionDaysAhead);
  return async (): Promise<void> => {
    const at = clock.now();
    const made = await makeEventPartitions(database, dayOf(at), daysAhead);
    if (made > 0) log.info({ count: made }, 'partitions were made');
    const days = await daysWithPartition(database);
    ahead.set(daysInARow(new Set(days), at));
    const isUsed = await isDefaultUsed(database);
    defaultUsed.set(isUsed ? 1 : 0);
    if (isUsed) log.error('events stand in the default partition: a day has none of its own');
    const deleted = await deleteDelivered(database, daysBefore(at, settings.STANZA_EVENT_DAYS));
    if (deleted > 0) log.info({ count: deleted }, 'delivered batches were deleted');
    await deleteEventKeys(database, daysBefore(at, 1));
    await deletePushAnswers(database, daysBefore(at, answerDays));
    await deleteDailyEvents(database, dayOf(daysBefore(at, counterDays)));
    const oldest = dayOf(daysBefore(at, settings.STANZA_EVENT_DAYS));
    for (const day of days) {
      if (day < oldest && (await dropEventPartition(database, day)))
        log.info({ day }, 'a partition was dropped');
    }
  };
};
