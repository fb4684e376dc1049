import { catalogue } from '../blocks/catalogue.ts';
import { describeShape } from '../grammar/object.ts';
import { isList, isObject, type JsonObject } from '../json.ts';
import type { Description, ShapeDescription, TableName } from '../parse/description.ts';

/** A value inside blocks, with what the engine’s tables say of it. */
export interface Described {
  readonly pointer: string;
  readonly description: Description;
  readonly value: unknown;
}

const inShape = ({ fields }: ShapeDescription, value: JsonObject, pointer: string): Described[] =>
  Object.entries(fields).flatMap(([key, field]) =>
    value[key] === undefined ? [] : describe(field, value[key], `${pointer}/${key}`),
  );

const inEntry = (table: TableName, value: JsonObject, pointer: string): Described[] => {
  const kind = catalogue[table][String(value.type)];
  return kind === undefined ? [] : inShape(describeShape(kind.shape), value, pointer);
};

const inObject = (description: Description, value: JsonObject, pointer: string): Described[] => {
  if (description.kind === 'one_of') return inEntry(description.table, value, pointer);
  if (description.kind === 'object') return inShape(description, value, pointer);
  if (description.kind !== 'variants') return [];
  const shape = description.variants[String(value.type)];
  return shape === undefined ? [] : inShape(shape, value, pointer);
};

const describe = (description: Description, value: unknown, pointer: string): Described[] => {
  const own = { pointer, description, value };
  if (description.kind === 'list' && isList(value)) {
    return [own, ...value.flatMap((entry, index) => describe(description.of, entry, `${pointer}/${index}`))];
  }
  if (description.kind === 'nullable')
    return value === null ? [own] : describe(description.of, value, pointer);
  return isObject(value) ? [own, ...inObject(description, value, pointer)] : [own];
};

/** All parts of native blocks, with their entries in the engine’s tables. */
export const describeBlocks = (blocks: readonly unknown[]): Described[] =>
  blocks.flatMap((block, index) => (isObject(block) ? inEntry('blocks', block, `/${index}`) : []));

/** Blocks with another value where a pointer leads to. */
export const replaceAt = (value: unknown, pointer: string, replacement: unknown): unknown => {
  if (pointer === '') return replacement;
  const [, step = '', ...rest] = pointer.split('/');
  const inner = rest.length === 0 ? '' : `/${rest.join('/')}`;
  if (isList(value)) {
    return value.map((entry, index) =>
      String(index) === step ? replaceAt(entry, inner, replacement) : entry,
    );
  }
  return isObject(value) ? { ...value, [step]: replaceAt(value[step], inner, replacement) } : value;
};
