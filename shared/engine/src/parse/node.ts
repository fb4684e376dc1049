import type { Run } from '../run/run.ts';

/** A part of a program whose value no data can change; computed once, frozen, and shared by all runs. */
export interface Fixed {
  readonly fixed: true;
  readonly value: unknown;
  /** What emitting it costs: objects and lists, UTF-16 units of its strings, characters that people read. */
  readonly nodes: number;
  readonly units: number;
  readonly text: number;
}

/** A part of a program that is made anew in each run. */
export interface Made {
  readonly fixed: false;
  /** The value, or undefined when nothing is to be emitted; why is noted in the run. */
  readonly make: (run: Run) => unknown;
}

/** A part of a program: what one value of the template has become. */
export type Part = Fixed | Made;

/** Emits any number of entries of a list. */
export type Emit = (run: Run, out: unknown[]) => void;

/** A fixed part that is no text for people. */
export const fixed = (value: unknown, units = 8): Fixed => ({ fixed: true, value, nodes: 0, units, text: 0 });

/** A fixed text for people. */
export const fixedText = (value: string): Fixed => ({
  fixed: true,
  value,
  nodes: 0,
  units: value.length,
  text: value.length,
});

/** A part that is made anew in each run. */
export const made = (make: (run: Run) => unknown): Made => ({ fixed: false, make });
