import { isUniqueViolation } from '@stanza/runtime';

/**
 * Runs what saves something; if its operation has done so before, reads what it saved then.
 * @param constraint the one that keeps an operation from saving twice
 */
export const once = async <T>(
  constraint: string,
  save: () => Promise<T>,
  read: () => Promise<T>,
): Promise<T> => {
  try {
    return await save();
  } catch (error) {
    if (!isUniqueViolation(error, constraint)) throw error;
    return read();
  }
};
