import { withoutGeneratedIds } from '../generated-ids.ts';
import type { Block } from '../program/fill-ids.ts';
import type { BlockDiff, ValueChange } from './block-diff.ts';
import { diffValues, type Pointers } from './diff-values.ts';
import { longestRise } from './longest-rise.ts';
import { matchBlocks } from './match-blocks.ts';

export { withoutGeneratedIds } from '../generated-ids.ts';
export type { BlockDiff, ValueChange } from './block-diff.ts';

const idOf = (block: Block): string | null =>
  block.id ?? (typeof block.block_id === 'string' ? block.block_id : null);

const named = (block: Block) => ({ block_id: idOf(block), type: block.type });
const pointerTo = (place: number): string => `/blocks/${place}`;

/**
 * Characters of all pointers together. Each names its keys from the top on, and one long key over a long list makes a
 * thousand times the bytes of both versions.
 */
const maxPointed = 1_048_576;

/** Tells what changes inside blocks; a block whose pointers have no room any more has changed as a whole. */
const insideBlocks = () => {
  let room = maxPointed;
  return (was: Block, is: Block, places: Pointers): ValueChange[] => {
    const [from, to] = [withoutGeneratedIds(was), withoutGeneratedIds(is)];
    const changes = diffValues(from, to, places);
    const pointed = changes.reduce((sum, { pointer }) => sum + pointer.length, 0);
    if (pointed > room) return [{ op: 'replace', pointer: places.after, from, to }];
    room -= pointed;
    return changes;
  };
};

/** The difference between the blocks of two versions, block by block. */
export const diffBlocks = (before: readonly Block[], after: readonly Block[]): BlockDiff => {
  const matches = matchBlocks(before, after);
  const matched = matches.filter((place) => place !== undefined);
  const inOrder = longestRise(matched);
  const kept = new Set(matched);
  const changesOf = insideBlocks();

  const diff: BlockDiff = { added: [], removed: [], moved: [], changed: [] };
  for (const [place, block] of before.entries()) {
    if (!kept.has(place)) diff.removed.push({ ...named(block), pointer: pointerTo(place), block });
  }
  for (const [place, block] of after.entries()) {
    const from = matches[place];
    const was = from === undefined ? undefined : before[from];
    const pointer = pointerTo(place);
    if (from === undefined || was === undefined) {
      diff.added.push({ ...named(block), pointer, block });
      continue;
    }
    const places = { before: pointerTo(from), after: pointer };
    const changes = changesOf(was, block, places);
    if (!inOrder.has(from)) diff.moved.push({ ...named(block), from: places.before, to: pointer });
    if (changes.length > 0) diff.changed.push({ ...named(block), pointer, before: places.before, changes });
  }
  return diff;
};
