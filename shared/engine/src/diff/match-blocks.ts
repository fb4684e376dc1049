import { givenId, withoutGeneratedIds } from '../generated-ids.ts';
import { fingerprint } from '../json.ts';
import type { Block } from '../program/fill-ids.ts';

/** The former place of each block, by its current place; undefined for a new block. */
export type Matches = readonly (number | undefined)[];

/** The key by which two blocks match; undefined for a block to which the rule does not apply. */
type Rule = (block: Block) => string | undefined;

/**
 * The rules in the order in which they count: the id, given or generated; then the same content; then, among blocks
 * that have no id of their author's, the same type. Of several that fit, the first is taken.
 */
const rules: readonly Rule[] = [
  (block) => block.id ?? (typeof block.block_id === 'string' ? block.block_id : undefined),
  (block) => fingerprint(withoutGeneratedIds(block)),
  (block) => (givenId(block) === undefined ? block.type : undefined),
];

/** The places of the blocks that are left, by what makes them the same. */
const placesByKey = (blocks: readonly Block[], left: ReadonlySet<number>, rule: Rule) => {
  const places = new Map<string, number[]>();
  for (const [place, block] of blocks.entries()) {
    const key = left.has(place) ? rule(block) : undefined;
    if (key !== undefined) places.set(key, [...(places.get(key) ?? []), place]);
  }
  return places;
};

/** Finds for each block which one it was before. No block is matched twice. */
export const matchBlocks = (before: readonly Block[], after: readonly Block[]): Matches => {
  const matches: (number | undefined)[] = after.map(() => undefined);
  const left = new Set(before.keys());
  for (const rule of rules) {
    const places = placesByKey(before, left, rule);
    for (const [place, block] of after.entries()) {
      const key = matches[place] === undefined ? rule(block) : undefined;
      const match = key === undefined ? undefined : places.get(key)?.shift();
      if (match === undefined) continue;
      matches[place] = match;
      left.delete(match);
    }
  }
  return matches;
};
