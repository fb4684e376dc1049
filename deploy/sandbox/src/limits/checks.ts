import { isDeepStrictEqual } from 'node:util';
import type { TextForm } from '@stanza/engine/platform';

/** One breach: where it is, as a JSON pointer, and the platform's words for it. */
export interface Problem {
  readonly pointer: string;
  readonly reason: string;
}

/** Records a breach. */
export type Report = (pointer: string, reason: string) => void;

/** Checks the value at `pointer` and reports every breach in it. */
export type Check = (value: unknown, pointer: string, report: Report) => void;

/** A JSON object whose fields are not known yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A rule over several fields of one object; each field is already checked. */
export type Rule = (object: JsonObject, pointer: string, report: Report) => void;

/** Whether a value is a JSON object (no list, no null). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Length in Unicode code points, the unit of the platform's text limits. */
export function codePoints(text: string): number {
  // Most texts have no surrogates and need no counting.
  if (!/[\ud800-\udfff]/.test(text)) return text.length;
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** A text of `min` (1 when left out) to `max` code points, in a form that machines read. */
export function text(limits: { min?: number; max?: number; form?: TextForm } = {}): Check {
  const { min = 1, max = Number.POSITIVE_INFINITY, form } = limits;
  return (value, pointer, report) => {
    if (typeof value !== 'string') return report(pointer, 'must provide a string');
    if (value.length < min) return report(pointer, `must be more than ${min - 1} characters`);
    // Code points never outnumber UTF-16 units, so most texts need no counting.
    if (value.length > max && codePoints(value) > max) {
      return report(pointer, `must be less than ${max + 1} characters`);
    }
    if (form !== undefined && form.faultOf(value) !== undefined) report(pointer, `must be ${form.words}`);
  };
}

/** An integer from `min` to `max`. */
export function integer(min: number, max = Number.MAX_SAFE_INTEGER): Check {
  return (value, pointer, report) => {
    if (typeof value !== 'number' || !Number.isInteger(value))
      return report(pointer, 'must provide an integer');
    if (value < min || value > max) report(pointer, `must be between ${min} and ${max}`);
  };
}

/** A finite number, above `above` when that is given. */
export function number(above = Number.NEGATIVE_INFINITY): Check {
  return (value, pointer, report) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) return report(pointer, 'must provide a number');
    if (value <= above) report(pointer, `must be more than ${above}`);
  };
}

/** `true` or `false`. */
export const flag: Check = (value, pointer, report) => {
  if (typeof value !== 'boolean') report(pointer, 'must provide a boolean');
};

/** One of a few values. */
export function choice(...values: readonly (string | number)[]): Check {
  return (value, pointer, report) => {
    if (!values.some((known) => known === value)) report(pointer, `must be one of: ${values.join(', ')}`);
  };
}

/** A list of `min` to `max` items, each sound. */
export function list(item: Check, min: number, max = Number.POSITIVE_INFINITY): Check {
  return (value, pointer, report) => {
    if (!Array.isArray(value)) return report(pointer, 'must provide an array');
    if (value.length < min) return report(pointer, `no fewer than ${min} items allowed`);
    if (value.length > max) return report(pointer, `no more than ${max} items allowed`);
    value.forEach((entry: unknown, index) => {
      item(entry, `${pointer}/${index}`, report);
    });
  };
}

/** An object's fields: required, optional, and rules between them. */
export interface Shape {
  readonly required?: Readonly<Record<string, Check>>;
  readonly optional?: Readonly<Record<string, Check>>;
  readonly rules?: readonly Rule[];
}

/** An object of a shape; a field that the shape does not name is a breach, as it is on the platform. */
export function object({ required = {}, optional = {}, rules = [] }: Shape): Check {
  const names = Object.keys(required);
  const fields = new Map(
    [...Object.entries(required), ...Object.entries(optional)].map(([name, check]) => [
      name,
      { check, suffix: `/${name}` },
    ]),
  );
  return (value, pointer, report) => {
    if (!isJsonObject(value)) return report(pointer, 'must provide an object');
    for (const name of names) {
      if (value[name] === undefined) report(pointer, `missing required field: ${name}`);
    }
    for (const name of Object.keys(value)) {
      const known = fields.get(name);
      const field = value[name];
      if (known === undefined) report(pointer, `invalid additional property: ${name}`);
      else if (field !== undefined) known.check(field, pointer + known.suffix, report);
    }
    for (const rule of rules) rule(value, pointer, report);
  };
}

/**
 * An object whose `type` is one of the table's keys and whose other fields have that entry's shape.
 *
 * @param others checks an object of another type; without it there is none
 */
export function typed(table: Readonly<Record<string, Shape>>, others?: Check): Check {
  const checks = new Map(
    Object.entries(table).map(([type, shape]) => [
      type,
      object({ ...shape, required: { type: text(), ...shape.required } }),
    ]),
  );
  return (value, pointer, report) => {
    if (!isJsonObject(value)) return report(pointer, 'must provide an object');
    if (typeof value.type !== 'string') return report(pointer, 'missing required field: type');
    const check = checks.get(value.type);
    if (check === undefined && others !== undefined) return others(value, pointer, report);
    if (check === undefined) return report(`${pointer}/type`, `unsupported type: ${value.type}`);
    check(value, pointer, report);
  };
}

/** The entries of a table whose keys are named. */
export function pick(
  table: Readonly<Record<string, Shape>>,
  ...names: readonly string[]
): Record<string, Shape> {
  const picked: Record<string, Shape> = {};
  for (const name of names) {
    const shape = table[name];
    if (shape === undefined) throw new Error(`the table has no entry ${name}`);
    picked[name] = shape;
  }
  return picked;
}

/** At least one of the fields is there. */
export function atLeastOneOf(...names: readonly string[]): Rule {
  return (value, pointer, report) => {
    if (!names.some((name) => value[name] !== undefined)) {
      report(pointer, `missing required field: one of ${names.join(', ')}`);
    }
  };
}

/** Exactly one of the fields is there. */
export function exactlyOneOf(...names: readonly string[]): Rule {
  return (value, pointer, report) => {
    const given = names.filter((name) => value[name] !== undefined);
    if (given.length === 0) report(pointer, `missing required field: one of ${names.join(', ')}`);
    if (given.length > 1) report(pointer, `only one of ${names.join(', ')} is allowed`);
  };
}

/** Whether a list holds an equal value. */
export function holds(values: readonly unknown[], wanted: unknown): boolean {
  return values.some((value) => isDeepStrictEqual(value, wanted));
}

/** A field that holds a list, or an empty list where it does not. */
export function listIn(object: JsonObject, name: string): readonly unknown[] {
  const value = object[name];
  return Array.isArray(value) ? value : [];
}
