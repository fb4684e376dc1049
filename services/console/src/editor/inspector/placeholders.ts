import type { InputField } from '@stanza/engine';
import { isList, isObject } from '../../json.ts';
import { stepsOf } from '../document/pointer.ts';

/** A value that a text can name. */
export interface Placeholder {
  /** As it is written, between braces or as a path. */
  readonly path: string;
  /** What it is, in a word. */
  readonly kind: string;
  /** The value in the data of the preview. */
  readonly example: string;
}

const maxLetters = 40;

const kindOf = (value: unknown): string => {
  if (isList(value)) return 'list';
  if (isObject(value)) return 'group of values';
  if (typeof value === 'number') return 'number';
  return typeof value === 'boolean' ? 'yes or no' : 'text';
};

const kindOfField = ({ type }: InputField): string =>
  ({
    string: 'text',
    number: 'number',
    boolean: 'yes or no',
    date: 'date',
    array: 'list',
    object: 'group of values',
  })[type];

const exampleOf = (value: unknown): string => {
  if (isList(value)) return `${value.length} ${value.length === 1 ? 'item' : 'items'}`;
  if (value === undefined || value === null || isObject(value)) return '';
  return String(value).slice(0, maxLetters);
};

/** Keys that stand in a path as they are. */
const isPlain = (key: string): boolean => /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(key);

const deepest = 4;

const inData = (value: unknown, path: string, depth = 0): Placeholder[] => {
  if (!isObject(value) || depth === deepest) {
    return path === '' ? [] : [{ path, kind: kindOf(value), example: exampleOf(value) }];
  }
  return Object.entries(value)
    .filter(([key]) => isPlain(key))
    .flatMap(([key, inner]) => inData(inner, path === '' ? key : `${path}.${key}`, depth + 1));
};

const inFields = (fields: readonly InputField[], path: string): Placeholder[] =>
  fields
    .filter(({ name }) => isPlain(name))
    .flatMap((field) => {
      const at = path === '' ? field.name : `${path}.${field.name}`;
      return field.type === 'object' && field.fields
        ? inFields(field.fields, at)
        : [{ path: at, kind: kindOfField(field), example: '' }];
    });

/** What a loop gives a name to: the first item of the data, and what the template reads of each. */
interface Named {
  readonly name: string;
  readonly value: unknown;
  readonly field: InputField | undefined;
}

const firstOf = (value: unknown): unknown =>
  isList(value) ? value[0] : isObject(value) ? Object.values(value)[0] : undefined;

const fieldAt = (fields: readonly InputField[], steps: readonly string[]): InputField | undefined => {
  const [step, ...rest] = steps;
  const field = fields.find(({ name }) => name === step);
  return rest.length === 0 ? field : fieldAt(field?.fields ?? [], rest);
};

const stepInto = (value: unknown, step: string): unknown =>
  isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;

/** Follows the path of a loop from the names around it, or from the top of the data. */
const namedBy = (
  loop: Readonly<Record<string, unknown>>,
  around: readonly Named[],
  fields: readonly InputField[],
  data: unknown,
): Named => {
  const steps = String(loop.path ?? '').split('.');
  const [first, ...rest] = steps;
  const outer = around.findLast(({ name }) => name === first);
  const list = outer ? rest.reduce(stepInto, outer.value) : steps.reduce(stepInto, data);
  const field = outer ? fieldAt(outer.field?.fields ?? [], rest) : fieldAt(fields, steps);
  const name = typeof loop.as === 'string' && loop.as !== '' ? loop.as : 'this';
  return { name, value: firstOf(list), field: field?.items };
};

const loopsAround = (document: unknown, pointer: string): Readonly<Record<string, unknown>>[] => {
  const found: Readonly<Record<string, unknown>>[] = [];
  stepsOf(pointer).reduce<unknown>((value, step) => {
    if (isObject(value) && value.directive === '#each' && step === 'children') found.push(value);
    if (isList(value)) return value[Number(step)];
    return stepInto(value, step);
  }, document);
  return found;
};

const valuesOf = ({ name, value, field }: Named): Placeholder[] => {
  const known = inData(value, name);
  const read = field?.type === 'object' ? inFields(field.fields ?? [], name) : [];
  if (value !== undefined || read.length > 0) return [...(value === undefined ? [] : known), ...read];
  return [{ path: name, kind: field ? kindOfField(field) : 'text', example: '' }];
};

/** The values that a text can name at a place of the document: those of the loops around it, the innermost first. */
export const placeholdersAt = (
  document: unknown,
  pointer: string,
  fields: readonly InputField[],
  data: Readonly<Record<string, unknown>>,
): Placeholder[] => {
  const named: Named[] = [];
  for (const loop of loopsAround(document, pointer)) named.push(namedBy(loop, named, fields, data));
  const all = [...named.toReversed().flatMap(valuesOf), ...inData(data, ''), ...inFields(fields, '')];
  return [...new Map(all.toReversed().map((one) => [one.path, one])).values()].toReversed();
};

/** What is being written at the caret, and where it begins; undefined outside of braces. */
export const openPlaceholder = (text: string, caret: number): { from: number; typed: string } | undefined => {
  const [written, typed] = /\{\{\s*([^{}|]*)$/.exec(text.slice(0, caret)) ?? [];
  return written === undefined || typed === undefined ? undefined : { from: caret - written.length, typed };
};

/** The text with a placeholder in the place of what was being written, and the caret behind it. */
export const withPlaceholder = (
  text: string,
  from: number,
  caret: number,
  path: string,
): { text: string; caret: number } => {
  const written = `{{${path}}}`;
  const rest = text.slice(caret).replace(/^[^\s{}]*\}\}/, '');
  return { text: `${text.slice(0, from)}${written}${rest}`, caret: from + written.length };
};
