import { isList, isObject } from '../json.ts';
import { codePoints } from './cut.ts';

/** Code points of every `text` inside a value, which is how the platform is taken to count. */
export const lengthOf = (value: unknown): number => {
  if (isList(value)) return value.reduce<number>((sum, entry) => sum + lengthOf(entry), 0);
  if (!isObject(value)) return 0;
  let sum = 0;
  for (const [key, inner] of Object.entries(value)) {
    sum += key === 'text' && typeof inner === 'string' ? codePoints(inner) : lengthOf(inner);
  }
  return sum;
};
