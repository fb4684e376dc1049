import type { BlockKind } from './block-kind.ts';
import { summarizeNothing } from './summary.ts';

/** A line across. */
export const divider: BlockKind = { type: 'divider', shape: { fields: {} }, summary: summarizeNothing };
