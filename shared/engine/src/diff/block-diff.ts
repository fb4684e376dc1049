import type { Block } from '../program/fill-ids.ts';

/** One change inside a block. */
export type ValueChange = {
  op: 'add' | 'remove' | 'replace';
  /** JSON pointer into the blocks after the change; where something is removed, into those before. */
  pointer: string;
  /** Absent where a value is added. */
  from?: unknown;
  /** Absent where a value is removed. */
  to?: unknown;
};

type Named = { block_id: string | null; type: string };

/** The difference between two lists of blocks. */
export type BlockDiff = {
  added: (Named & { pointer: string; block: Block })[];
  removed: (Named & { pointer: string; block: Block })[];
  /** The fewest blocks whose moves explain the new order; a block that only makes room is not listed. */
  moved: (Named & { from: string; to: string })[];
  changed: (Named & { pointer: string; before: string; changes: ValueChange[] })[];
};
