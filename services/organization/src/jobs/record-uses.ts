import type { Dependencies } from '../dependencies.ts';
import type { LastUses, Uses } from '../domain/uses.ts';
import { recordKeyUses } from '../store/api-keys.ts';
import { recordSessions } from '../store/members.ts';

const writeDown = async (uses: Uses, write: (taken: LastUses) => Promise<void>): Promise<void> => {
  const taken = uses.take();
  if (taken.size === 0) return;
  try {
    await write(taken);
  } catch (error) {
    uses.giveBack(taken);
    throw error;
  }
};

/** Writes the last uses of keys and sessions; uses that could not be written are kept for the next run. */
export const recordUses =
  ({ database, keyUse, sessionUse }: Pick<Dependencies, 'database' | 'keyUse' | 'sessionUse'>) =>
  async (): Promise<void> => {
    await writeDown(keyUse, (taken) => recordKeyUses(database, taken));
    await writeDown(sessionUse, (taken) => recordSessions(database, taken));
  };
