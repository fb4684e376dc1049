import { setTimeout as pause } from 'node:timers/promises';
import { metricCatalogue } from '@stanza/contracts';
import type { Logger, Queryable } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import {
  calendarOf,
  type DailyTable,
  dailyTables,
  dropPartitionOf,
  makePartitionOf,
} from '../store/partitions.ts';

const dayMs = 24 * 3_600_000;
/** Days for which partitions are created ahead: the job may fail for a week. */
const daysAhead = 7;
/** Milliseconds between two tries to create the partition that a start needs. */
const retryMs = 200;

const daysFrom = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);

/** The number of consecutive days with a partition from the given one on. */
const daysInARow = (days: ReadonlySet<string>, day: string): number => {
  let ahead = 0;
  while (days.has(daysFrom(day, ahead))) ahead += 1;
  return ahead;
};

type Needs = Pick<Dependencies, 'database' | 'metrics'>;

/** Creates the missing partitions, each in its own transaction; stops at the first failure. */
const makeMissing = async (
  table: DailyTable,
  { database }: Needs,
  day: string,
  days: ReadonlySet<string>,
): Promise<string[]> => {
  const made: string[] = [];
  for (let ahead = 0; ahead <= daysAhead; ahead += 1) {
    const wanted = daysFrom(day, ahead);
    if (days.has(wanted)) continue;
    if (!(await makePartitionOf(table, database, wanted))) break;
    made.push(wanted);
  }
  return made;
};

/**
 * Creates the missing partitions of a table.
 * @returns whether events of today or of a coming day are without one, and consecutive days with one from today; what a
 * past day has left in the default partition stays there until its retention ends
 */
const makeAhead = async (table: DailyTable, needs: Needs, log: Logger) => {
  const { database } = needs;
  const { today, own, inDefault } = await calendarOf(table, database);
  const made = await makeMissing(table, needs, today, new Set([...own, ...inDefault]));
  if (made.length > 0) log.info({ count: made.length }, 'partitions were created');
  return {
    isMissing: inDefault.some((it) => it >= today),
    ahead: daysInARow(new Set([...own, ...made]), today),
  };
};

/**
 * Keeps a partition of events for today and each of the coming days. A partition blocked by a transaction that reads
 * events is created by a later run.
 */
export const makePartitions = (needs: Needs, log: Logger) => {
  const { metrics } = needs;
  const missing = metrics.gauge(metricCatalogue.queues.partitionMissing);
  const ahead = metrics.gauge(metricCatalogue.queues.partitionDaysAhead);
  return async (): Promise<void> => {
    const kept = [];
    for (const table of dailyTables) kept.push(await makeAhead(table, needs, log));
    ahead.set(Math.min(...kept.map((it) => it.ahead)));
    const isMissing = kept.some((it) => it.isMissing);
    missing.set(isMissing ? 1 : 0);
    if (isMissing) log.error('the default partition holds events: their day cannot get its own partition');
  };
};

const awaitPartition = async (
  table: DailyTable,
  { database }: Pick<Dependencies, 'database'>,
  log: Logger,
): Promise<void> => {
  for (let tries = 0; ; tries += 1) {
    const { today: day, own, inDefault } = await calendarOf(table, database);
    if (own.includes(day) || inDefault.includes(day)) return;
    if (await makePartitionOf(table, database, day)) return;
    if (tries === 0) log.warn({ day }, 'the partition of today could not be created yet');
    await pause(retryMs);
  }
};

/**
 * Waits until the partitions of today exist; the first push needs one. The check reads the catalog, so a reader of
 * events does not delay the start. A day whose events are in the default partition stays there.
 */
export const awaitTodaysPartitions = async (
  needs: Pick<Dependencies, 'database'>,
  log: Logger,
): Promise<void> => {
  for (const table of dailyTables) await awaitPartition(table, needs, log);
};

/**
 * Drops empty partitions of past days. It stops at the first locked one of a table: each try waits for the lock, pushes
 * queue behind it, and its reader locks the other partitions as well.
 */
export const dropSpentPartitions = async (
  { database }: { database: Queryable },
  keptDays: number,
  log: Logger,
): Promise<void> => {
  for (const table of dailyTables) {
    const { today, own } = await calendarOf(table, database);
    const oldest = daysFrom(today, -keptDays);
    for (const day of own) {
      if (day >= oldest) break;
      const outcome = await dropPartitionOf(table, database, day);
      if (outcome === 'locked') break;
      if (outcome === 'dropped') log.info({ day }, 'a partition was dropped');
    }
  }
};
