import type { Dependencies } from '../../dependencies.ts';
import { forgetEndedSchedules } from '../store/scheduled-messages.ts';
import { forgetRuns } from '../store/scheduled-runs.ts';

/** Milliseconds for which ended scheduled messages and past runs are shown; their messages have a log of their own. */
const keptMs = 30 * 24 * 3_600_000;

/** Drops scheduled messages and runs that ended long ago; the last run of one that goes on stays. */
export const forgetSchedules = async ({
  database,
  clock,
}: Pick<Dependencies, 'database' | 'clock'>): Promise<void> => {
  const before = new Date(clock.now().getTime() - keptMs);
  await forgetEndedSchedules(database, before);
  await forgetRuns(database, before);
};
