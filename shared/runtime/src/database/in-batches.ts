/** Rows of one deletion, so that no statement holds many locks for long, and none runs into its time limit. */
export const deletedAtOnce = 5_000;

/**
 * Repeats a deletion of at most {@link deletedAtOnce} rows until it finds fewer.
 * @returns how many rows were deleted
 */
export const inBatches = async (remove: () => Promise<readonly unknown[]>): Promise<number> => {
  let deleted = 0;
  for (;;) {
    const { length } = await remove();
    deleted += length;
    if (length < deletedAtOnce) return deleted;
  }
};
