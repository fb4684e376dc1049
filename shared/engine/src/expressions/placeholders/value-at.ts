import { isObject } from '../../json.ts';
import type { ReadStep } from '../../run/path-text.ts';
import { readPath } from '../../run/path-text.ts';
import { codePoints } from '../../text/cut.ts';

/** What a text and a list have besides what is in them; an object has it only as a key of its own. */
export const LENGTH = 'length';

const isIndex = /^\d{1,9}$/;

/** One step into a value, over own properties alone, and the length of lists and texts. */
export const stepInto = (value: unknown, step: ReadStep): unknown => {
  if (step === null) return undefined;
  if (isObject(value)) return Object.hasOwn(value, step) ? value[step] : undefined;
  if (typeof value === 'string') return step === LENGTH ? codePoints(value) : undefined;
  if (!Array.isArray(value)) return undefined;
  if (typeof step === 'number') return value[step];
  if (step === LENGTH) return value.length;
  return isIndex.test(step) ? value[Number(step)] : undefined;
};

/** The steps of a path from the top of the data, as placeholders outside loops read it; undefined where it is none. */
export const stepsFromTop = (path: string): readonly ReadStep[] | undefined => {
  const { steps, isQuoted = false } = readPath(path) ?? {};
  return !isQuoted && steps?.[0] === 'this' ? steps.slice(1) : steps;
};

/** The value at a path from the top of the data; undefined where there is none. */
export const valueAt = (data: unknown, path: string): unknown =>
  stepsFromTop(path)?.reduce<unknown>(stepInto, data);
