import { isList, isObject, type JsonObject, pointerStep } from '../json.ts';
import type { ValueChange } from './block-diff.ts';

/** Pointers of the compared values. */
export interface Pointers {
  before: string;
  after: string;
}

const inside = (pointers: Pointers, key: string | number): Pointers => ({
  before: pointers.before + pointerStep(key),
  after: pointers.after + pointerStep(key),
});

const diffObjects = (before: JsonObject, after: JsonObject, pointers: Pointers): ValueChange[] => {
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
  return [
    ...gone.map((key) => removed(before[key], inside(pointers, key))),
    ...Object.entries(after).flatMap(([key, value]) =>
      Object.hasOwn(before, key)
        ? diffValues(before[key], value, inside(pointers, key))
        : [added(value, inside(pointers, key))],
    ),
  ];
};

/** Item by item; what is beyond the end of the other list is taken from the end, so that the positions before it hold. */
const diffLists = (
  before: readonly unknown[],
  after: readonly unknown[],
  pointers: Pointers,
): ValueChange[] => [
  ...after.flatMap((value, index) =>
    index < before.length
      ? diffValues(before[index], value, inside(pointers, index))
      : [added(value, inside(pointers, index))],
  ),
  ...before
    .flatMap((value, index) => (index < after.length ? [] : [removed(value, inside(pointers, index))]))
    .reverse(),
];

const added = (to: unknown, { after }: Pointers): ValueChange => ({ op: 'add', pointer: after, to });
const removed = (from: unknown, { before }: Pointers): ValueChange => ({
  op: 'remove',
  pointer: before,
  from,
});

/** Lists what changes one JSON value into the other, in an order in which it can be done. */
export const diffValues = (before: unknown, after: unknown, pointers: Pointers): ValueChange[] => {
  if (isObject(before) && isObject(after)) return diffObjects(before, after, pointers);
  if (isList(before) && isList(after)) return diffLists(before, after, pointers);
  return before === after ? [] : [{ op: 'replace', pointer: pointers.after, from: before, to: after }];
};
