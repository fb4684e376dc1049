import type { Dependencies } from '../../dependencies.ts';
import { forgetEndedSchedules } from '../store/scheduled-messages.ts';
import { forgetRuns } from '../store/scheduled-runs.ts';

/** Milliseconds for which ended scheduled messages and past runs are kept; their messages have a log of their own. */
const keptMs = 30 * 24 * 3_600_000;

type Needs = Pick<Dependencies, 'database' | 'clock'>;

const oldest = ({ clock }: Needs): Date => new Date(clock.now().getTime() - keptMs);

/** Deletes runs past their retention; the last run of each scheduled message stays. */
export const forgetPastRuns = (needs: Needs): Promise<number> => forgetRuns(needs.database, oldest(needs));

/** Deletes scheduled messages past their retention, with their remaining runs. */
export const forgetSchedules = (needs: Needs): Promise<number> =>
  forgetEndedSchedules(needs.database, oldest(needs));
