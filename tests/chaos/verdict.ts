/** What came of checking one invariant. */
export interface Verdict {
  name: string;
  /** What was counted. */
  figures: Record<string, number>;
  /** What broke it, with ids; none when it holds. */
  broken: string[];
}
