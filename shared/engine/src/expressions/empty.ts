import { isList, isObject } from '../json.ts';

/** Whether a value is missing, or a text, list or object with nothing in it. */
export const isEmpty = (value: unknown): boolean => {
  if (value === undefined || value === null || value === '') return true;
  if (isList(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
};
