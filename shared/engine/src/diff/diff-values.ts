import { isList, isObject, type JsonObject, pointerStep } from '../json.ts';
import type { ValueChange } from './block-diff.ts';

/** Where the values that are compared stand. */
export interface Places {
  before: string;
  after: string;
}

const inside = (places: Places, key: string | number): Places => ({
  before: places.before + pointerStep(key),
  after: places.after + pointerStep(key),
});

const diffObjects = (before: JsonObject, after: JsonObject, places: Places): ValueChange[] => {
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
  return [
    ...gone.map((key) => removed(before[key], inside(places, key))),
    ...Object.entries(after).flatMap(([key, value]) =>
      Object.hasOwn(before, key)
        ? diffValues(before[key], value, inside(places, key))
        : [added(value, inside(places, key))],
    ),
  ];
};

/** Item by item; what is beyond the end of the other list is taken from the end, so that the places before it hold. */
const diffLists = (before: readonly unknown[], after: readonly unknown[], places: Places): ValueChange[] => [
  ...after.flatMap((value, index) =>
    index < before.length
      ? diffValues(before[index], value, inside(places, index))
      : [added(value, inside(places, index))],
  ),
  ...before
    .flatMap((value, index) => (index < after.length ? [] : [removed(value, inside(places, index))]))
    .reverse(),
];

const added = (to: unknown, { after }: Places): ValueChange => ({ op: 'add', pointer: after, to });
const removed = (from: unknown, { before }: Places): ValueChange => ({ op: 'remove', pointer: before, from });

/** Lists what changes one JSON value into the other, in an order in which it can be done. */
export const diffValues = (before: unknown, after: unknown, places: Places): ValueChange[] => {
  if (isObject(before) && isObject(after)) return diffObjects(before, after, places);
  if (isList(before) && isList(after)) return diffLists(before, after, places);
  return before === after ? [] : [{ op: 'replace', pointer: places.after, from: before, to: after }];
};
