import type { Dependencies } from '../dependencies.ts';
import { forgetStrangers } from '../store/erasures.ts';

/** Deletes the users whose last membership has ended, so that nothing is left of people whom no organization names. */
export const forgetUsers =
  ({ database, log }: Pick<Dependencies, 'database' | 'log'>) =>
  async (): Promise<void> => {
    const count = await forgetStrangers(database);
    if (count > 0) log.info({ count }, 'users without an organization were deleted');
  };
