import { setTimeout as pause } from 'node:timers/promises';
import { metricCatalogue } from '@stanza/contracts';
import type { Logger, Queryable } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import {
  daysWithoutPartition,
  daysWithPartition,
  dropEventPartition,
  makeEventPartition,
  today,
} from '../store/partitions.ts';

const dayMs = 24 * 3_600_000;
/** Days for which partitions are made ahead: a week without this job does no harm. */
const daysAhead = 7;
/** Between two tries to make the partition without which a start cannot go on, milliseconds. */
const retryMs = 200;

const daysFrom = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);

/** How many days from the one given on are there one after the other. */
const daysInARow = (days: ReadonlySet<string>, day: string): number => {
  let ahead = 0;
  while (days.has(daysFrom(day, ahead))) ahead += 1;
  return ahead;
};

type Needs = Pick<Dependencies, 'database' | 'metrics'>;

/** Makes the partitions that are missing, each in a transaction of its own; ends at the first that cannot be made now. */
const makeMissing = async (
  { database }: Needs,
  day: string,
  days: ReadonlySet<string>,
): Promise<string[]> => {
  const made: string[] = [];
  for (let ahead = 0; ahead <= daysAhead; ahead += 1) {
    const wanted = daysFrom(day, ahead);
    if (days.has(wanted)) continue;
    if (!(await makeEventPartition(database, wanted))) break;
    made.push(wanted);
  }
  return made;
};

/**
 * Keeps a partition of events for today and each of the coming days. Where a transaction that reads events stands in the
 * way, what is missing is made by a later run.
 */
export const makePartitions = (needs: Needs, log: Logger) => {
  const { database, metrics } = needs;
  const defaultUsed = metrics.gauge(metricCatalogue.queues.partitionMissing);
  const ahead = metrics.gauge(metricCatalogue.queues.partitionDaysAhead);
  return async (): Promise<void> => {
    const day = await today(database);
    const days = new Set(await daysWithPartition(database));
    const without = await daysWithoutPartition(database);
    const made = await makeMissing(needs, day, new Set([...days, ...without]));
    if (made.length > 0) log.info({ count: made.length }, 'partitions were made');
    ahead.set(daysInARow(new Set([...days, ...made]), day));
    defaultUsed.set(without.length > 0 ? 1 : 0);
    if (without.length > 0) log.error('events stand in the default partition: a day has none of its own');
  };
};

/**
 * Waits until the partition of today exists; the first event needs it. The catalog is asked, so a reader of events does
 * not delay the start. A day whose events are in the default partition stays there.
 */
export const awaitTodaysPartition = async (
  { database }: Pick<Dependencies, 'database'>,
  log: Logger,
): Promise<void> => {
  for (let tries = 0; ; tries += 1) {
    const day = await today(database);
    if ((await daysWithPartition(database)).includes(day)) return;
    if (await makeEventPartition(database, day)) return;
    if ((await daysWithoutPartition(database)).includes(day)) return;
    if (tries === 0) log.warn({ day }, 'the partition of today cannot be made yet');
    await pause(retryMs);
  }
};

/**
 * Drops the partitions of days long ago that hold nothing any more. It ends at the first that is locked: each try waits
 * for the lock, pushes wait behind it, and the reader that holds it holds the others as well.
 */
export const dropSpentPartitions = async (
  { database }: { database: Queryable },
  keptDays: number,
  log: Logger,
): Promise<void> => {
  const oldest = daysFrom(await today(database), -keptDays);
  for (const day of await daysWithPartition(database)) {
    if (day >= oldest) return;
    const outcome = await dropEventPartition(database, day);
    if (outcome === 'locked') return;
    if (outcome === 'dropped') log.info({ day }, 'a partition was dropped');
  }
};
