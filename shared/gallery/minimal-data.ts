import { isObject } from '@stanza/engine';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';

type Json = Record<string, unknown>;

const steps = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

/** The least value of a part of a schema: its example where it is a plain one, which has the form of a date, an address… */
const leastOf = (part: unknown): unknown => {
  const { type, examples }: Json = isObject(part) ? part : {};
  const example: unknown = Array.isArray(examples) ? examples[0] : undefined;
  if (example !== undefined && typeof example !== 'object') return example;
  const [first] = Array.isArray(type) ? type : [type];
  if (first === 'number') return 1;
  if (first === 'boolean') return true;
  if (first === 'array') return [];
  return first === 'object' ? {} : 'x';
};

/** The part of a schema that describes a value of the data. */
const schemaAt = (schema: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((part, step) => {
    if (!isObject(part)) return undefined;
    return isObject(part.properties) && Object.hasOwn(part.properties, step)
      ? part.properties[step]
      : part.items;
  }, schema);

/** The data with another value at the end of a path, whose way there exists. */
const withValue = (data: unknown, [step, ...rest]: readonly string[], value: unknown): unknown => {
  if (step === undefined) return value;
  if (Array.isArray(data)) {
    const items: readonly unknown[] = data;
    const longer = items.length > Number(step) ? items : [...items, undefined];
    return longer.map((item, index) => (index === Number(step) ? withValue(item, rest, value) : item));
  }
  const object = isObject(data) ? data : {};
  return { ...object, [step]: withValue(object[step], rest, value) };
};

/** The data with what one complaint of the validator asks for. */
const repaired = (
  data: unknown,
  { keyword, instancePath, params }: ErrorObject,
  schema: unknown,
): unknown => {
  const path = steps(instancePath);
  if (keyword === 'required') {
    const missing = [...path, String(params.missingProperty)];
    return withValue(data, missing, leastOf(schemaAt(schema, missing)));
  }
  if (keyword === 'minItems') {
    const item = [...path, '0'];
    return withValue(data, item, leastOf(schemaAt(schema, item)));
  }
  if (keyword === 'type' || keyword === 'not') return withValue(data, path, leastOf(schemaAt(schema, path)));
  throw new Error(`no repair for ${keyword} at ${instancePath || 'the root'}: ${JSON.stringify(params)}`);
};

/** Complaints that only sum up others. */
const sums = ['if', 'allOf', 'anyOf', 'oneOf'];

/**
 * The least data that a schema accepts, grown from `start` by what its validator still asks for.
 *
 * @param validate made with `allErrors`
 */
export const minimalData = (
  schema: unknown,
  validate: ValidateFunction,
  start: unknown = {},
): Record<string, unknown> => {
  let data = start;
  for (let round = 0; round < 200; round += 1) {
    if (validate(data) && isObject(data)) return data;
    const complaint = validate.errors?.find(({ keyword }) => !sums.includes(keyword));
    if (complaint === undefined) break;
    data = repaired(data, complaint, schema);
  }
  throw new Error(`found no data that the schema accepts: ${JSON.stringify(validate.errors)}`);
};

/** Data with one item in every list and every property that is required there. */
export const oneOfEach = (schema: unknown): unknown => {
  if (!isObject(schema)) return 'x';
  const { properties, required, items } = schema;
  const least = leastOf(schema);
  if (Array.isArray(least)) return [oneOfEach(items)];
  if (!isObject(least) || !isObject(properties)) return least;
  const names: readonly unknown[] = Array.isArray(required) ? required : [];
  const parts = Object.entries(properties).filter(([name]) => names.includes(name));
  return Object.fromEntries(parts.map(([name, part]) => [name, oneOfEach(part)]));
};
