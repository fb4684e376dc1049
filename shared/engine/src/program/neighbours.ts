import { isList, isObject, type JsonObject } from '../json.ts';
import { type Run, warn } from '../run/run.ts';

const holds = (blocks: readonly unknown[], type: string): boolean => {
  for (const block of blocks) {
    if (!isObject(block)) continue;
    if (block.type === type || (isList(block.child_blocks) && holds(block.child_blocks, type))) return true;
  }
  return false;
};

/**
 * Warns of blocks that third parties say the platform refuses in one message. Its documentation does not, so that they
 * are not refused.
 */
export const warnOfNeighbours = (run: Run, blocks: readonly JsonObject[]): void => {
  // Tables are counted as they are made, so that messages without one are not looked through.
  if (run.totals?.get('message.tables') === undefined) return;
  if (!holds(blocks, 'data_table') || !holds(blocks, 'table')) return;
  const story =
    'the message holds a `table` and a `data_table`; the platform may refuse them together (source: third-party validators).';
  warn(run, 'platform.disputed', '', story);
};
