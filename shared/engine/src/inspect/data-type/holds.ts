import { isList, isObject } from '../../json.ts';
import { codePoints } from '../../text/cut.ts';
import type { Schema } from '../conditions.ts';

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  return isList(value) ? 'array' : typeof value;
};

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const every = (schemas: unknown, value: unknown): boolean =>
  !isList(schemas) || schemas.every((it) => !isObject(it) || holds(it, value));

/** Items or characters up to which a size is tried out. */
export const maxSized = 1_000;

const isBetween = (size: number, least: unknown, most: unknown): boolean =>
  (typeof least !== 'number' || size >= least) && (typeof most !== 'number' || size <= most);

const isSized = ({ minItems, maxItems, minLength, maxLength }: Schema, value: unknown): boolean => {
  if (isList(value)) return isBetween(value.length, minItems, maxItems);
  return typeof value !== 'string' || isBetween(codePoints(value), minLength, maxLength);
};

/** Every size that a condition names. */
export const sizesIn = (schema: unknown): number[] => {
  if (isList(schema)) return schema.flatMap(sizesIn);
  if (!isObject(schema)) return [];
  const { minItems, maxItems, minLength, maxLength } = schema;
  const named = [minItems, maxItems, minLength, maxLength].filter((size) => typeof size === 'number');
  return [...named, ...Object.values(schema).flatMap(sizesIn)];
};

/** Whether a value is as a condition says, of the keywords that conditions are made of. */
export const holds = (schema: Schema, value: unknown): boolean => {
  const { type, not, anyOf, enum: values, maxProperties } = schema;
  if (type !== undefined && typeOf(value) !== type) return false;
  if ('const' in schema && !isSame(schema.const, value)) return false;
  if (isList(values) && !values.some((it) => isSame(it, value))) return false;
  if (isObject(not) && holds(not, value)) return false;
  if (isList(anyOf) && !anyOf.some((it) => isObject(it) && holds(it, value))) return false;
  if (!isSized(schema, value)) return false;
  if (typeof maxProperties === 'number' && isObject(value) && Object.keys(value).length > maxProperties)
    return false;
  return every(schema.allOf, value);
};

/** Every value that a condition names. */
export const literalsIn = (schema: unknown): unknown[] => {
  if (isList(schema)) return schema.flatMap(literalsIn);
  if (!isObject(schema)) return [];
  const { const: one, enum: several, ...rest } = schema;
  return [
    ...('const' in schema ? [one] : []),
    ...(isList(several) ? several : []),
    ...Object.values(rest).flatMap(literalsIn),
  ];
};
