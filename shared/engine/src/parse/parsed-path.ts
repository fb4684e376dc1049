import type { Reference } from '../run/frame.ts';

/** One step of a path that a template reads: a key, an item's number, or every item of a list. */
export type ReadStep = string | number | null;

/** A reference with the steps from the root of the data, where it reads the data at all. */
export interface ParsedPath {
  readonly reference: Reference;
  readonly steps: readonly ReadStep[] | undefined;
}
