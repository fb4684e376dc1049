/** One line of the results: what was measured, next to its peer in the same run. */
export interface BenchRow {
  what: string;
  /** What it is compared with. */
  peer: string;
  ours: string;
  theirs: string;
  /**
   * Ours to theirs, of times where less is better, of rates where more is better; undefined of what is counted next to
   * nothing.
   */
  ratio?: number;
  budget: string;
  aim: string;
  p50?: string;
  p99?: string;
  /** CPU of one request, or of whatever is measured: ours, and next to. */
  cpu?: string;
}

/** How thoroughly to measure: `check` runs everything once, briefly, to see that it works. */
export type BenchMode = 'full' | 'check';
