import { isList, isObject } from '../../json.ts';
import type { TemplateDocument } from '../document/document.ts';
import { below, isBlockAt, lastStep, parentOf, placeOf, stepsOf, valueAt } from '../document/pointer.ts';
import { rowAround, rowsOf, titleOf } from '../document/rows.ts';
import { type Description, descriptionOfPart, figureOf, shapeIn, type Tables } from '../document/schema.ts';
import { type Changed, withBlock, withValue } from './changes.ts';

const isDirective = (value: unknown): boolean => isObject(value) && value.type === 'directive';

/** The blocks that stand in the message where an entry stands: of a loop or a condition those inside. */
const blocksOf = (value: unknown): unknown[] =>
  isObject(value) && isDirective(value)
    ? [value.children, value.else, value.empty].flatMap((held) =>
        isList(held) ? held.flatMap(blocksOf) : [],
      )
    : [value];

/** What a list lets stand in it; undefined where it takes every block. */
const descriptionOf = (
  document: TemplateDocument,
  list: string,
  isBlock: boolean,
  schema: Tables,
): Description | undefined => {
  if (!isBlock) return descriptionOfPart(document, list, schema);
  // Loops and conditions in a frame stand in it themselves.
  return stepsOf(list).includes('child_blocks')
    ? shapeIn(schema, 'blocks', 'container', undefined)?.fields.child_blocks
    : undefined;
};

const isAllowed = (value: unknown, { types = [], variants = {} }: Partial<Description> = {}): boolean =>
  isObject(value) &&
  typeof value.type === 'string' &&
  (types.includes(value.type) || Object.hasOwn(variants, value.type));

/** Whether the block or part at a pointer may stand in a list, by the schema of blocks. */
export const mayStand = (document: TemplateDocument, from: string, list: string, schema: Tables): boolean => {
  if (list === parentOf(from)) return true;
  const isBlock = isBlockAt(from);
  const value = valueAt(document, from);
  // Texts in languages are of the whole message.
  if (isObject(value) && value.directive === '#translations') return list === '/blocks';
  if (isBlock !== isBlockAt(below(list, 0)) || list.startsWith(`${from}/`)) return false;
  const description = descriptionOf(document, list, isBlock, schema);
  if (description === undefined) return isBlock;
  const held = valueAt(document, list);
  const count = isList(held) ? held.filter((it) => !isDirective(it)).length : 0;
  const max = figureOf(schema, description.limit) ?? Number.POSITIVE_INFINITY;
  const blocks = blocksOf(value);
  return (
    count + (isDirective(value) ? 0 : 1) <= max && blocks.every((block) => isAllowed(block, description.of))
  );
};

/** Whether a block stands already where it would be moved to: before itself, or before what follows it. */
export const isOwnPlace = (from: string, to: string): boolean =>
  parentOf(from) === parentOf(to) && [0, 1].includes(placeOf(to) - placeOf(from));

/** A pointer after what stands at `from` was taken away. */
const without = (from: string, pointer: string): string => {
  const list = parentOf(from);
  if (!pointer.startsWith(`${list}/`)) return pointer;
  const [step = '', ...rest] = pointer.slice(list.length + 1).split('/');
  return Number(step) > placeOf(from) ? [list, Number(step) - 1, ...rest].join('/') : pointer;
};

/** Moves a block or a part before what stands at another pointer, or to the end of its list. */
export const movedTo = (document: TemplateDocument, from: string, to: string): Changed => {
  if (isOwnPlace(from, to)) return { document, selected: from };
  const selected = without(from, to);
  const taken = withValue(document, from, undefined);
  return { document: withBlock(taken, selected, valueAt(document, from)), selected };
};

const caseWords: Readonly<Record<string, string>> = {
  else: ', otherwise',
  empty: ', when the list is empty',
};

/** Says where a block has come to stand. */
export const movedWords = (document: TemplateDocument, pointer: string): string => {
  const list = parentOf(pointer);
  const held = valueAt(document, list);
  const count = isList(held) ? held.length : 1;
  const words = `${titleOf(valueAt(document, pointer))} moved to place ${placeOf(pointer) + 1} of ${count}`;
  const around = list === '/blocks' ? undefined : rowAround(rowsOf(document.blocks), parentOf(list));
  if (around === undefined) return words;
  const name = `${around.title} ${around.summary.slice(0, 40)}`.trim();
  return `${words} in ${name}${caseWords[lastStep(list)] ?? ''}`;
};
