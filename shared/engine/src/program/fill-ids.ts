import { actionElements } from '../blocks/elements/elements.ts';
import { isList, isObject, type JsonObject } from '../json.ts';
import { limits } from '../limits.ts';

/** A block of a template as a caller gives it. */
export type Block = { type: string; id?: string; [key: string]: unknown };

/** No sound template is nested deeper: directives in directives, each with a list, an element and its options. */
const LEVELS = 8 * limits['engine.depth'].max;

type Where = 'blocks' | 'elements' | 'cells';

/** The blocks in the lists and under the keys of a block; `children` of directives are those of their parent. */
const inside: Readonly<Record<string, Where>> = {
  child_blocks: 'blocks',
  elements: 'elements',
  actions: 'elements',
  accessory: 'elements',
  element: 'elements',
  rows: 'cells',
};
const insideOfCarousel: Readonly<Record<string, Where>> = { elements: 'blocks', item: 'blocks' };
const ofDirective = ['children', 'else', 'empty'];

const isActing = ({ type }: JsonObject): boolean =>
  typeof type === 'string' && Object.hasOwn(actionElements, type);

const isOmitted = (id: unknown): boolean => id === undefined || id === null || id === '';

/** Without keys that give no id: an empty one, or null, counts as left out. */
const withoutEmpty = (value: JsonObject, keys: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([key, id]) => !(keys.includes(key) && isOmitted(id))));

type NewId = () => string;

const whereIn = (value: JsonObject, key: string, where: Where): Where | undefined => {
  if (ofDirective.includes(key)) return where;
  const table = value.type === 'carousel' ? insideOfCarousel : inside;
  return Object.hasOwn(table, key) ? table[key] : undefined;
};

const fillInside = (value: JsonObject, where: Where, newId: NewId, level: number): JsonObject =>
  Object.fromEntries(
    Object.entries(value).map(([key, inner]): [string, unknown] => {
      const within = whereIn(value, key, where);
      if (within === undefined) return [key, inner];
      return isList(inner)
        ? [key, inner.map((entry) => fillEntry(entry, within, newId, level + 1))]
        : [key, fillEntry(inner, within, newId, level + 1)];
    }),
  );

const fillEntry = (value: unknown, where: Where, newId: NewId, level: number): unknown => {
  if (level > LEVELS) return value;
  // A row is a list of cells.
  if (where === 'cells' && isList(value)) {
    return value.map((cell) => fillEntry(cell, where, newId, level + 1));
  }
  if (!isObject(value)) return value;
  const filled = fillInside(value, where, newId, level);
  if (where === 'blocks') {
    if (!isOmitted(value.id) || !isOmitted(value.block_id)) return withoutEmpty(filled, ['id', 'block_id']);
    return { ...withoutEmpty(filled, ['id', 'block_id']), id: `blk_${newId()}` };
  }
  return isActing(value) && isOmitted(value.action_id)
    ? { ...withoutEmpty(filled, ['action_id']), action_id: `act_${newId()}` }
    : filled;
};

/**
 * Gives every block without an id `id: "blk_…"`, and every acting element without one `action_id: "act_…"`, also inside
 * directives, containers, cards and carousels. Ids that are supplied stay. The input is not changed, and what is no block
 * stays as it is.
 *
 * @param newId makes the part behind the prefix, a uuid
 */
export const fillIds = (blocks: readonly Block[], newId: NewId): Block[] =>
  blocks.map((block) => {
    const filled = fillEntry(block, 'blocks', newId, 0);
    return isObject(filled) ? { ...filled, type: block.type } : block;
  });
