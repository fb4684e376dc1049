import { isGeneratedId } from '../generated-ids.ts';
import { isList, isObject, type JsonObject } from '../json.ts';
import { type LimitName, limitOf } from '../limits.ts';
import { overLimit, type Parsing } from '../parse/parse-context.ts';
import { makeOrLeaveOut } from '../run/leave-out.ts';
import { noteProblem, type Run, warn } from '../run/run.ts';
import { codePoints } from '../text/cut.ts';

/** The parts before each `_` of an id. */
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

const collectIds = (value: unknown, key: string, found: Set<unknown>): Set<unknown> => {
  if (isList(value)) for (const entry of value) collectIds(entry, key, found);
  if (!isObject(value)) return found;
  found.add(value[key]);
  for (const inner of Object.values(value)) collectIds(inner, key, found);
  return found;
};

/** The ids within a value of which each is to stand once. */
class Seen {
  /** Every id that is taken, with the number that its next repetition gets. */
  readonly #taken = new Map<string, number>();
  readonly #within: unknown;
  readonly #key: string;
  #given: Set<unknown> | undefined;

  constructor(within: unknown, key: 'block_id' | 'action_id') {
    this.#within = within;
    this.#key = key;
  }

  /** The id itself, or with a number that makes it another than all that are taken, or given further on. */
  claim(id: string): string {
    let unique = id;
    let number = this.#taken.get(id);
    if (number !== undefined) {
      this.#given ??= collectIds(this.#within, this.#key, new Set());
      do {
        unique = `${id}_${number}`;
        number += 1;
      } while (this.#taken.has(unique) || this.#given.has(unique));
      this.#taken.set(id, number);
    }
    this.#taken.set(unique, 1);
    return unique;
  }
}

/** A number makes an id longer, and one that is too long is refused like any other: an id is never cut. */
const checkLength = (id: string, limit: LimitName, run: Run): void => {
  const length = codePoints(id);
  if (length > limitOf(limit).max) noteProblem(run, overLimit('', limit, length));
};

/**
 * Says what was appended, and not the id: data may have made it. An id that was filled in repeats where a template uses
 * a partial twice, which no author can mend.
 */
const warnOfRepeated = (run: Run, story: string, id: string, unique: string): void => {
  if (isGeneratedId(id)) return;
  warn(run, 'id.repeated', '', `${story}; the later one ends in \`${unique.slice(id.length)}\` now.`);
};

/** An element with an id that its block has not seen yet. Elements of different blocks may share one. */
const withUniqueAction = (element: unknown, seen: Seen, run: Run): unknown => {
  if (!isObject(element) || typeof element.action_id !== 'string') return element;
  const { action_id: id } = element;
  const unique = seen.claim(id);
  if (unique === id) return element;
  checkLength(unique, 'element.action_id', run);
  warnOfRepeated(run, 'an `action_id` stands twice in a block', id, unique);
  const interaction = run.interactions?.find((it) => it.element === element);
  const renamed = { ...element, action_id: unique };
  if (interaction !== undefined) interaction.element = renamed;
  return renamed;
};

/** Lists of a block whose elements act, and those that hold blocks again. */
const actingKeys = ['elements', 'actions'];
const blockKeys = ['elements', 'child_blocks', 'tasks'];

/** Changes the entries of some lists of an object; the object itself where none changes. */
const mapLists = <B extends JsonObject>(
  value: B,
  keys: readonly string[],
  change: (entry: unknown) => unknown,
): B => {
  let changed: B = value;
  for (const key of keys) {
    const list = value[key];
    if (!isList(list)) continue;
    const entries = list.map(change);
    if (entries.some((entry, index) => entry !== list[index])) changed = { ...changed, [key]: entries };
  }
  return changed;
};

/** A `data_table` whose buttons in cells have ids of their own. */
const withUniqueCells = <B extends JsonObject>(block: B, seen: Seen, run: Run): B => {
  if (block.type !== 'data_table') return block;
  const cellOf = (cell: unknown): unknown => {
    if (!isObject(cell) || cell.type !== 'action_cell') return cell;
    const element = withUniqueAction(cell.element, seen, run);
    return element === cell.element ? cell : { ...cell, element };
  };
  return mapLists(block, ['rows'], (row) => {
    if (!isList(row)) return row;
    const cells = row.map(cellOf);
    return cells.every((cell, index) => cell === row[index]) ? row : cells;
  });
};

const isNested = (entry: unknown): entry is JsonObject =>
  isObject(entry) &&
  (entry.block_id !== undefined || entry.actions !== undefined || entry.elements !== undefined);

const withUniqueBlockId = <B extends JsonObject>(block: B, seen: Seen, run: Run): B => {
  if (typeof block.block_id !== 'string') return block;
  const unique = seen.claim(block.block_id);
  if (unique === block.block_id) return block;
  checkLength(unique, 'block.block_id', run);
  warnOfRepeated(run, 'a `block_id` stands twice in the message', block.block_id, unique);
  return { ...block, block_id: unique };
};

const withUniqueIds = <B extends JsonObject>(block: B, blocks: Seen, run: Run): B => {
  const own = withUniqueBlockId(block, blocks, run);
  const actions = new Seen(own, 'action_id');
  const acting = mapLists(own, actingKeys, (element) => withUniqueAction(element, actions, run));
  return mapLists(withUniqueCells(acting, actions, run), blockKeys, (entry) =>
    isNested(entry) ? withUniqueIds(entry, blocks, run) : entry,
  );
};

/**
 * Gives repeated ids a number, so that those of the blocks, nested ones included, are unique in the message and those of
 * the elements in their block. Blocks that change are copied.
 */
export const makeIdsUnique = <B extends JsonObject>(blocks: readonly B[], run: Run): B[] => {
  const seen = new Seen(blocks, 'block_id');
  if (!run.leavesOut) return blocks.map((block) => withUniqueIds(block, seen, run));
  const made = blocks.map((block) => makeOrLeaveOut(run, () => withUniqueIds(block, seen, run)));
  return made.filter((block) => block !== undefined);
};
