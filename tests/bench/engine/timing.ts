/** Microseconds of one call: the median of batches, and the spread of single calls; and what it allocates, in bytes. */
export interface Timing {
  readonly median: number;
  readonly p50: number;
  readonly p99: number;
  readonly allocated: number;
}

/** How long to measure: warming up, rounds of batches, milliseconds of a batch, and calls timed one by one. */
export interface Effort {
  readonly warmUpMs: number;
  readonly rounds: number;
  readonly batchMs: number;
  readonly singles: number;
}

/** Enough for figures that stand, and just enough to see that it works. */
export const efforts: Record<'full' | 'check', Effort> = {
  full: { warmUpMs: 300, rounds: 800, batchMs: 0.5, singles: 20_000 },
  check: { warmUpMs: 1, rounds: 2, batchMs: 0.5, singles: 50 },
};

const quantile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
};

const microseconds = (call: () => unknown, times: number): number => {
  const start = performance.now();
  for (let index = 0; index < times; index += 1) call();
  return ((performance.now() - start) * 1000) / times;
};

/** Runs a call until the compiler has done with it what it will. */
const warmUp = (call: () => unknown, milliseconds: number): void => {
  const end = performance.now() + milliseconds;
  while (performance.now() < end) call();
};

/** How many calls fill a batch. */
const batchOf = (call: () => unknown, { batchMs, warmUpMs }: Effort): number => {
  warmUp(call, warmUpMs);
  let times = 1;
  while (microseconds(call, times) * times < batchMs * 1000 && times < 1_000_000) times *= 2;
  return times;
};

/** Calls between two looks at the heap: few enough that it is seldom cleared in the meantime. */
const callsOfLook = 16;

/** Bytes that one call leaves on the heap before anything is cleared away: the median of many looks. */
const allocatedBy = (call: () => unknown, looks: number): number => {
  const seen = Array.from({ length: looks }, () => {
    const before = process.memoryUsage().heapUsed;
    for (let index = 0; index < callsOfLook; index += 1) call();
    return (process.memoryUsage().heapUsed - before) / callsOfLook;
  });
  return quantile(seen, 0.5);
};

/**
 * Times calls side by side. Their batches take turns, so that what slows the machine for a while slows all of them;
 * the median of the batches is what counts.
 */
export const timeTogether = (calls: readonly (() => unknown)[], effort: Effort): Timing[] => {
  const runners = calls.map((call) => ({
    call,
    times: batchOf(call, effort),
    batches: [0].slice(1),
  }));
  for (let round = 0; round < effort.rounds; round += 1) {
    for (const { call, times, batches } of runners) batches.push(microseconds(call, times));
  }
  return runners.map(({ call, batches }) => {
    const singles = Array.from({ length: effort.singles }, () => microseconds(call, 1));
    return {
      median: quantile(batches, 0.5),
      p50: quantile(singles, 0.5),
      p99: quantile(singles, 0.99),
      allocated: allocatedBy(call, effort.rounds),
    };
  });
};
