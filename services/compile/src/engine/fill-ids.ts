import { actionElements } from './catalogue/elements.ts';
import { isList, isObject, type JsonObject } from './json.ts';
import { limits } from './limits.ts';

/** A block of a template as a caller gives it. */
export type Block = { type: string; id?: string; [key: string]: unknown };

/** Deeper than this no sound template goes: directives in directives, each with a list, an element and its options. */
const LEVELS = 8 * limits['engine.depth'].max;

const listKeys = ['children', 'else', 'empty', 'elements'];
const isActing = ({ type }: JsonObject): boolean =>
  typeof type === 'string' && Object.hasOwn(actionElements, type);

const hasOwnId = (value: JsonObject): boolean => value.id !== undefined || value.block_id !== undefined;

type Where = 'blocks' | 'elements';
type NewId = () => string;

const fillInside = (value: JsonObject, where: Where, newId: NewId, level: number): JsonObject => {
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => {
    if (listKeys.includes(key) && isList(inner)) {
      const inside = key === 'elements' ? 'elements' : where;
      return [key, inner.map((entry) => fillEntry(entry, inside, newId, level + 1))];
    }
    return key === 'accessory' || key === 'element'
      ? [key, fillEntry(inner, 'elements', newId, level + 1)]
      : [key, inner];
  });
  return Object.fromEntries(entries);
};

const fillEntry = (value: unknown, where: Where, newId: NewId, level: number): unknown => {
  if (!isObject(value) || level > LEVELS) return value;
  const filled = fillInside(value, where, newId, level);
  if (where === 'blocks') return hasOwnId(value) ? filled : { ...filled, id: `blk_${newId()}` };
  return isActing(value) && value.action_id === undefined
    ? { ...filled, action_id: `act_${newId()}` }
    : filled;
};

/**
 * Gives every block without an id `id: "blk_…"`, and every acting element without one `action_id: "act_…"`, also inside
 * directives. Ids that are supplied stay. The input is not changed, and what is no block stays as it is.
 *
 * @param newId makes the part behind the prefix, a uuid
 */
export const fillIds = (blocks: readonly Block[], newId: NewId): Block[] =>
  blocks.map((block) => {
    const filled = fillEntry(block, 'blocks', newId, 0);
    return isObject(filled) ? { ...filled, type: block.type } : block;
  });
