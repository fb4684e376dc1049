/**
 * The bound of an `lru-cache` that takes memory as it fills. With `max` it reserves for all entries when it is made: 2 MB
 * for 50,000 of them.
 */
export const upTo = (entries: number): { maxSize: number; sizeCalculation: () => number } => ({
  maxSize: entries,
  sizeCalculation: () => 1,
});
