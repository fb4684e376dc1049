/**
 * A longest increasing subsequence of distinct numbers; the others are the fewest that have to move to put the list in
 * order. The lists are short, so quadratic time is acceptable.
 */
export const longestRise = (numbers: readonly number[]): Set<number> => {
  const best: number[][] = [];
  for (const [index, number] of numbers.entries()) {
    let longest: number[] = [];
    for (let at = 0; at < index; at += 1) {
      const rise = best[at] ?? [];
      if (rise.length > longest.length && (numbers[at] ?? number) < number) longest = rise;
    }
    best.push([...longest, number]);
  }
  return new Set(best.reduce((one, other) => (other.length > one.length ? other : one), []));
};
