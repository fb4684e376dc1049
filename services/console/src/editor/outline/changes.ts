import { newId } from '../../api/new-id.ts';
import { isList, isObject } from '../../json.ts';
import type { TemplateDocument } from '../document/document.ts';
import { isDocument } from '../document/document.ts';
import {
  below,
  blockAround,
  parentOf,
  placeOf,
  valueAt,
  withInserted,
  withValueAt,
} from '../document/pointer.ts';

/** A changed document, and the row that is chosen in it. */
export interface Changed {
  readonly document: TemplateDocument;
  readonly selected: string | undefined;
}

const asDocument = (value: unknown): TemplateDocument => {
  if (!isDocument(value)) throw new TypeError('the change left no document');
  return value;
};

/** Puts a value at a pointer of the document. */
export const withValue = (document: TemplateDocument, pointer: string, value: unknown): TemplateDocument =>
  asDocument(withValueAt(document, pointer, value));

/** Inserts a block before the place that the pointer names, and makes its list where there is none. */
export const withBlock = (document: TemplateDocument, pointer: string, block: unknown): TemplateDocument => {
  const list = parentOf(pointer);
  const made = isList(valueAt(document, list)) ? document : withValueAt(document, list, []);
  return asDocument(withInserted(made, pointer, block));
};

/** Where a new block goes: into a chosen loop, condition or frame that has none yet, else behind the chosen block. */
export const placeForNew = (document: TemplateDocument, chosen: string | undefined): string => {
  const selected = chosen === undefined ? undefined : blockAround(chosen);
  const value = selected === undefined ? undefined : valueAt(document, selected);
  if (selected === undefined || value === undefined) return below('/blocks', document.blocks.length);
  const key = !isObject(value)
    ? undefined
    : value.type === 'directive'
      ? 'children'
      : value.type === 'container'
        ? 'child_blocks'
        : undefined;
  const list = key !== undefined && isObject(value) ? value[key] : undefined;
  const isFilled = isList(list) && list.length > 0;
  if (key === undefined || isFilled) return below(parentOf(selected), placeOf(selected) + 1);
  return below(below(selected, key), 0);
};

/** Moves a block among its neighbours; at the end it stays. */
export const moved = (document: TemplateDocument, pointer: string, by: -1 | 1): Changed => {
  const list = valueAt(document, parentOf(pointer));
  const place = placeOf(pointer) + by;
  if (!isList(list) || place < 0 || place >= list.length) return { document, selected: pointer };
  const without = withValue(document, pointer, undefined);
  const selected = below(parentOf(pointer), place);
  return { document: withBlock(without, selected, valueAt(document, pointer)), selected };
};

/** Takes a block away; its neighbour is chosen then, or what holds it. */
export const removed = (document: TemplateDocument, pointer: string): Changed => {
  const list = parentOf(pointer);
  const changed = withValue(document, pointer, undefined);
  if (isObject(valueAt(document, list))) return { document: changed, selected: list };
  const left = valueAt(changed, list);
  const count = isList(left) ? left.length : 0;
  if (count > 0) return { document: changed, selected: below(list, Math.min(placeOf(pointer), count - 1)) };
  return { document: changed, selected: list === '/blocks' ? undefined : parentOf(list) };
};

const idKeys: Readonly<Record<string, string>> = { id: 'blk_', block_id: 'blk_', action_id: 'act_' };

/** A copy whose ids are its own: two blocks of one id would be refused. */
const withNewIds = (value: unknown): unknown => {
  if (isList(value)) return value.map(withNewIds);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const prefix = Object.hasOwn(idKeys, key) ? idKeys[key] : undefined;
      return [
        key,
        prefix !== undefined && typeof inner === 'string' ? `${prefix}${newId()}` : withNewIds(inner),
      ];
    }),
  );
};

/** Puts a copy behind a block. */
export const duplicated = (document: TemplateDocument, pointer: string): Changed => {
  const selected = below(parentOf(pointer), placeOf(pointer) + 1);
  return { document: withBlock(document, selected, withNewIds(valueAt(document, pointer))), selected };
};

/** Puts a block into a loop, a condition or a group, which takes its place. */
export const wrapped = (
  document: TemplateDocument,
  pointer: string,
  wrapper: Readonly<Record<string, unknown>>,
): TemplateDocument => withValue(document, pointer, { ...wrapper, children: [valueAt(document, pointer)] });
