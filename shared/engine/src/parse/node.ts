import type { Run } from '../run/run.ts';
import { codePoints } from '../text/cut.ts';

/** A node whose value no data can change; computed once, frozen, and shared by all runs. */
export interface Fixed {
  readonly fixed: true;
  readonly value: unknown;
  /** The cost of emitting it: objects and lists, UTF-16 units of its strings, code points that people read. */
  readonly objects: number;
  readonly units: number;
  readonly text: number;
}

/** A node that is made again in each run. */
export interface Made {
  readonly fixed: false;
  /** The value, or undefined when nothing is to be emitted; why is noted in the run. */
  readonly make: (run: Run) => unknown;
}

/** A node of a program: one value of the template, parsed. */
export type Node = Fixed | Made;

/** A fixed node that is no text for people. */
export const fixed = (value: unknown, units = 8): Fixed => ({
  fixed: true,
  value,
  objects: 0,
  units,
  text: 0,
});

/** A fixed text for people. */
export const fixedText = (value: string): Fixed => ({
  fixed: true,
  value,
  objects: 0,
  units: value.length,
  text: codePoints(value),
});

/** A node that is made again in each run. */
export const made = (make: (run: Run) => unknown): Made => ({ fixed: false, make });
