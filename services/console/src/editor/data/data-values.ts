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
      return longData(field.fields ?? []);
  }
};

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
    const inner = data[field.name];
    return [[field.name, emptyLists(field.fields ?? [], isObject(inner) ? inner : {})]];
  });
  const without = withoutItems(data);
  return { ...(isObject(without) ? without : {}), ...Object.fromEntries(lists) };
};

/** What a new item of a list begins with. */
export const newItem = (field: InputField | undefined): unknown => {
  if (field === undefined || field.type === 'string') return '';
  if (field.type === 'object') return {};
  if (field.type === 'array') return [];
  return null;
};
