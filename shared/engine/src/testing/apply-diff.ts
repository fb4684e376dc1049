import type { BlockDiff, ValueChange } from '../diff/block-diff.ts';
import { isObject } from '../json.ts';
import type { Block } from '../program/fill-ids.ts';

const placeOf = (pointer: string): number => Number(pointer.split('/')[2]);

const stepsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(3)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

const plainProperty = { enumerable: true, writable: true, configurable: true };

const setAt = (target: unknown, steps: string[], change: ValueChange): void => {
  const [step = '', ...rest] = steps;
  if (rest.length > 0) {
    if (Array.isArray(target)) setAt(target[Number(step)], rest, change);
    else if (isObject(target)) setAt(target[step], rest, change);
    return;
  }
  if (Array.isArray(target)) {
    if (change.op === 'remove') target.splice(Number(step), 1);
    else target[Number(step)] = change.to;
  } else if (isObject(target)) {
    if (change.op === 'remove') Reflect.deleteProperty(target, step);
    // Not by assignment: `__proto__` is a key like any other.
    else Reflect.defineProperty(target, step, { ...plainProperty, value: change.to });
  }
};

/** Applies a difference to the older blocks, which gives the newer ones. */
export const applyDiff = (before: readonly Block[], diff: BlockDiff): Block[] => {
  const old = structuredClone([...before]);
  const gone = new Set([
    ...diff.removed.map((it) => placeOf(it.pointer)),
    ...diff.moved.map((it) => placeOf(it.from)),
  ]);
  const placed = new Map<number, Block | undefined>([
    ...diff.added.map((it) => [placeOf(it.pointer), structuredClone(it.block)] as const),
    ...diff.moved.map((it) => [placeOf(it.to), old[placeOf(it.from)]] as const),
  ]);
  const staying = old.filter((_, place) => !gone.has(place));
  const length = before.length - diff.removed.length + diff.added.length;
  const made = Array.from({ length }, (_, place) =>
    placed.has(place) ? placed.get(place) : staying.shift(),
  ).filter((block) => block !== undefined);
  for (const { pointer, changes } of diff.changed) {
    for (const change of changes) setAt(made[placeOf(pointer)], stepsOf(change.pointer), change);
  }
  return made;
};
