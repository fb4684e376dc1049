import { isList, isObject, type JsonObject } from './json.ts';
import { type LimitName, limitOf } from './limits.ts';
import { overLimit, type Parsing } from './place.ts';
import { noteProblem, type Run, warn } from './run.ts';
import { codePoints } from './text/cut.ts';

/** What stands before each `_` of an id. */
const startsOf = (id: string): string[] => [...id.matchAll(/_/g)].map(({ index }) => id.slice(0, index));

/**
 * Whether ids of a template may meet in the output: data makes some, some stand twice, or one reads like another with
 * the suffix of a loop. Where they cannot, no run needs to look.
 */
export const mayRepeatIds = ({ block, action, looped, made }: Parsing['ids']): boolean => {
  const given = [...block, ...action, ...looped];
  if (made || new Set(given).size < given.length) return true;
  const repeated = new Set(looped);
  return looped.length > 0 && given.some((id) => startsOf(id).some((start) => repeated.has(start)));
};

interface Seen {
  /** Every id of the output, with the number that its next repetition gets. */
  readonly ids: Map<string, number>;
}

const claim = (id: string, { ids }: Seen): string => {
  let unique = id;
  let number = ids.get(id);
  if (number !== undefined) {
    do {
      unique = `${id}_${number}`;
      number += 1;
    } while (ids.has(unique));
    ids.set(id, number);
  }
  ids.set(unique, 1);
  return unique;
};

/** A number makes an id longer, and one that is too long is refused like any other: an id is never cut. */
const checkLength = (id: string, limit: LimitName, run: Run): void => {
  const length = codePoints(id);
  if (length > limitOf(limit).max) noteProblem(run, overLimit('', limit, length));
};

/** An element with an id that its block has not seen yet. Elements of different blocks may share one. */
const withUniqueAction = (element: unknown, seen: Seen, run: Run): unknown => {
  if (!isObject(element) || typeof element.action_id !== 'string') return element;
  const { action_id: id } = element;
  const unique = claim(id, seen);
  if (unique === id) return element;
  checkLength(unique, 'element.action_id', run);
  warn(run, 'id.repeated', '', `\`action_id\` ${id} stands twice in a block; one became ${unique}.`);
  const interaction = run.interactions?.find((it) => it.element === element);
  const renamed = { ...element, action_id: unique };
  if (interaction !== undefined) interaction.element = renamed;
  return renamed;
};

const withUniqueActions = <B extends JsonObject>(block: B, run: Run): B => {
  const { elements } = block;
  if (!isList(elements)) return block;
  const seen: Seen = { ids: new Map() };
  const unique = elements.map((element) => withUniqueAction(element, seen, run));
  return unique.every((element, index) => element === elements[index])
    ? block
    : { ...block, elements: unique };
};

/**
 * Gives repeated ids a number, so that those of the blocks are unique in the message and those of the elements in their
 * block. Blocks that change are copied.
 */
export const makeIdsUnique = <B extends JsonObject>(blocks: readonly B[], run: Run): B[] => {
  const seen: Seen = { ids: new Map() };
  return blocks.map((block) => {
    const own = withUniqueActions(block, run);
    if (typeof own.block_id !== 'string') return own;
    const unique = claim(own.block_id, seen);
    if (unique === own.block_id) return own;
    checkLength(unique, 'block.block_id', run);
    warn(run, 'id.repeated', '', `\`block_id\` ${own.block_id} stands twice; one became ${unique}.`);
    return { ...own, block_id: unique };
  });
};
