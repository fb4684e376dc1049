import { isList, isObject } from '../../json.ts';

/** Reads and changes JSON values by RFC 6901 pointers; nothing that is given is changed. */

/** The steps of a pointer. */
export const stepsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

/** A pointer with one more step. */
export const below = (pointer: string, step: string | number): string =>
  `${pointer}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** The pointer of what holds the value. */
export const parentOf = (pointer: string): string => pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')));

/** The last step of a pointer. */
export const lastStep = (pointer: string): string => stepsOf(pointer).at(-1) ?? '';

/** The place of a list's item. */
export const placeOf = (pointer: string): number => Number(lastStep(pointer));

const childOf = (value: unknown, step: string): unknown => {
  if (isList(value)) return value[Number(step)];
  return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
};

/** The value to which a pointer leads; undefined where it leads nowhere. */
export const valueAt = (root: unknown, pointer: string): unknown => stepsOf(pointer).reduce(childOf, root);

type Change = (parent: unknown, step: string) => unknown;

const changeAt = (root: unknown, steps: readonly string[], change: Change): unknown => {
  const [step = '', ...rest] = steps;
  if (rest.length === 0) return change(root, step);
  const inner = changeAt(childOf(root, step), rest, change);
  if (isList(root)) return root.with(Number(step), inner);
  return isObject(root) ? { ...root, [step]: inner } : { [step]: inner };
};

/** Puts a value at a pointer; undefined takes away what is there. */
export const withValueAt = (root: unknown, pointer: string, value: unknown): unknown => {
  if (pointer === '') return value;
  return changeAt(root, stepsOf(pointer), (parent, step) => {
    if (isList(parent)) {
      const place = Number(step);
      return value === undefined
        ? parent.toSpliced(place, 1)
        : [...parent.slice(0, place), value, ...parent.slice(place + 1)];
    }
    const object = isObject(parent) ? parent : {};
    if (value !== undefined) return { ...object, [step]: value };
    return Object.fromEntries(Object.entries(object).filter(([key]) => key !== step));
  });
};

/** Inserts a value before the item at a pointer; the list is made where there is none. */
export const withInserted = (root: unknown, pointer: string, value: unknown): unknown =>
  changeAt(root, stepsOf(pointer), (parent, step) =>
    isList(parent) ? parent.toSpliced(Number(step), 0, value) : parent,
  );

/** Gives a key another name, in its place. */
export const withKeyRenamed = (root: unknown, pointer: string, name: string): unknown =>
  changeAt(root, stepsOf(pointer), (parent, step) =>
    isObject(parent)
      ? Object.fromEntries(Object.entries(parent).map(([key, value]) => [key === step ? name : key, value]))
      : parent,
  );

const blockLists: ReadonlySet<string> = new Set(['blocks', 'children', 'child_blocks', 'else', 'empty']);

/** Whether a block stands at a pointer, and not a part of one. */
export const isBlockAt = (pointer: string): boolean =>
  /^\d+$/.test(lastStep(pointer)) && blockLists.has(lastStep(parentOf(pointer)));

/** The block that holds what a pointer leads to. */
export const blockAround = (pointer: string): string =>
  pointer === '' || isBlockAt(pointer) ? pointer : blockAround(parentOf(pointer));
