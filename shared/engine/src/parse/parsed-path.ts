import type { Reference } from '../run/frame.ts';
import type { ReadStep } from '../run/path-text.ts';

/** A reference with the steps from the root of the data, where it reads the data at all. */
export interface ParsedPath {
  readonly reference: Reference;
  readonly steps: readonly ReadStep[] | undefined;
  /** Of `@key`: the steps to the object whose keys it reads, where that is of the data. */
  readonly keysOf?: readonly ReadStep[] | undefined;
}
