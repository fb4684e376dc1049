import { isList, isObject, type JsonObject } from '../json.ts';
import { type Run, warn } from './run.ts';

const typesIn = (blocks: readonly unknown[]): unknown[] =>
  blocks.flatMap((block) => {
    if (!isObject(block)) return [];
    return isList(block.child_blocks) ? [block.type, ...typesIn(block.child_blocks)] : [block.type];
  });

/**
 * Warns of blocks that third parties say the platform refuses in one message. Its documentation does not, so that they
 * are not refused.
 */
export const warnOfNeighbours = (run: Run, blocks: readonly JsonObject[]): void => {
  if (blocks.length < 2) return;
  const types = typesIn(blocks);
  if (!types.includes('table') || !types.includes('data_table')) return;
  const story =
    'the message holds a `table` and a `data_table`; the platform may refuse them together (source: third-party validators).';
  warn(run, 'platform.disputed', '', story);
};
