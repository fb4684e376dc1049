import type { InputField } from '@stanza/engine';
import { isList, isObject } from '../../json.ts';

/** The data that a template is tried with. */
export type Data = Readonly<Record<string, unknown>>;

/** Longer than most limits of texts, as somebody will write it one day. */
const longText =
  'A text that is far longer than anybody expected, with Donaudampfschifffahrtsgesellschaft in it. '
    .repeat(36)
    .trim();

const longValue = (field: InputField): unknown => {
  switch (field.type) {
    case 'string':
      return longText;
    case 'number':
      return 123_456_789_012.345;
    case 'boolean':
      return true;
    case 'date':
      return '2026-12-31T23:59:59Z';
    case 'array':
      return Array.from({ length: 3 }, () => (field.items ? longValue(field.items) : longText));
    case 'object':
      return longObject(field);
  }
};

const longObject = ({ fields = [], items }: InputField): Data => ({
  ...(items && Object.fromEntries([1, 2, 3].map((number) => [`key ${number}`, longValue(items)]))),
  ...longData(fields),
});

/** Every text as long as it may come one day. */
export const longData = (fields: readonly InputField[]): Data =>
  Object.fromEntries(fields.map((field) => [field.name, longValue(field)]));

/** The same data with every list empty. */
export const withoutItems = (value: unknown): unknown => {
  if (isList(value)) return [];
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutItems(inner)]))
    : value;
};

/** The data with an empty list for every list that the template reads. */
export const emptyLists = (fields: readonly InputField[], data: Data): Data => {
  const lists = fields.flatMap((field): [string, unknown][] => {
    if (field.type === 'array') return [[field.name, []]];
    if (field.type !== 'object') return [];
    // An object that a loop goes over is empty as a list is.
    const inner = field.items || !Object.hasOwn(data, field.name) ? undefined : data[field.name];
    return [[field.name, emptyLists(field.fields ?? [], isObject(inner) ? inner : {})]];
  });
  const without = withoutItems(data);
  return { ...(isObject(without) ? without : {}), ...Object.fromEntries(lists) };
};

/** A key that an object does not have yet. */
export const newKey = (object: Data): string => {
  for (let number = 1; ; number += 1) {
    const key = number === 1 ? 'key' : `key ${number}`;
    if (!Object.hasOwn(object, key)) return key;
  }
};

/** The object with another key in the place of one; the same object where it has that key already. */
export const renamedKey = (object: Data, from: string, to: string): Data =>
  Object.hasOwn(object, to)
    ? object
    : Object.fromEntries(Object.entries(object).map(([key, value]) => [key === from ? to : key, value]));

/** The lines of a text that have something in them. */
export const linesIn = (text: string): readonly string[] =>
  text.split(/\r?\n/).filter((line) => line.trim() !== '');

/**
 * The items with those of several lines: behind one of them, or in its place where all of it is replaced.
 * @returns undefined where there is one line
 */
export const linesAsItems = (
  items: readonly unknown[],
  place: number,
  lines: readonly unknown[],
  isReplaced: boolean,
): readonly unknown[] | undefined => {
  if (lines.length < 2) return undefined;
  return isReplaced ? items.toSpliced(place, 1, ...lines) : items.toSpliced(place + 1, 0, ...lines);
};

/** What a new item of a list begins with. */
export const newItem = (field: InputField | undefined): unknown => {
  if (field === undefined || field.type === 'string') return '';
  if (field.type === 'object') return {};
  if (field.type === 'array') return [];
  return null;
};
