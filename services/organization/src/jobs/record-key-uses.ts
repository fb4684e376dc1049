import type { Parts } from '../parts.ts';
import { recordUses } from '../store/api-keys.ts';

/** Writes down when keys were used; what could not be written is kept for the next time. */
export const recordKeyUses =
  ({ database, keyUse }: Pick<Parts, 'database' | 'keyUse'>) =>
  async (): Promise<void> => {
    const uses = keyUse.take();
    if (uses.size === 0) return;
    try {
      await recordUses(database, uses);
    } catch (error) {
      keyUse.giveBack(uses);
      throw error;
    }
  };
