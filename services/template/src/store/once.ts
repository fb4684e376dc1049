import { isUniqueViolation } from '@stanza/runtime';

/**
 * Runs a save; in a repeat of its operation, reads the saved row.
 * @param constraint the unique constraint on the operation
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
