import type { BlockSchema } from '@stanza/engine';
import { isList, isObject, type JsonObject } from '../../json.ts';
import { isBlockAt, lastStep, parentOf, valueAt } from './pointer.ts';

/** The tables of the language, without their JSON Schema. */
export type Tables = Omit<BlockSchema, 'json_schema'>;

/** A value of the language, as the engine's block schema describes it. */
export interface Description {
  readonly kind: string;
  readonly required: boolean;
  /** Name of the limit that holds for it. */
  readonly limit?: string | undefined;
  /** What a text must look like. */
  readonly form?: string | undefined;
  readonly values: readonly (string | number)[];
  readonly of?: Description | undefined;
  /** The table and the types of it that may stand here. */
  readonly table?: string | undefined;
  readonly types: readonly string[];
  /** Of a value whose `type` tells which of a few objects it is. */
  readonly variants?: Readonly<Record<string, ShapeDescription>> | undefined;
  readonly shape?: ShapeDescription | undefined;
  /** The list may come from a `source` of the data. */
  readonly isBound: boolean;
}

/** The keys of an object. */
export interface ShapeDescription {
  readonly fields: Readonly<Record<string, Description>>;
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const textsOf = (value: unknown): string[] =>
  isList(value) ? value.filter((item) => typeof item === 'string') : [];

const readDescription = (given: unknown): Description => {
  const it = isObject(given) ? given : {};
  return {
    kind: textOf(it.kind) ?? 'json',
    required: it.required === true,
    limit: textOf(it.limit),
    form: textOf(it.form),
    values: isList(it.values)
      ? it.values.filter((value) => typeof value === 'string' || typeof value === 'number')
      : [],
    of: it.of === undefined ? undefined : readDescription(it.of),
    table: textOf(it.table),
    types: textsOf(it.types),
    variants: isObject(it.variants)
      ? Object.fromEntries(Object.entries(it.variants).map(([name, shape]) => [name, readShape(shape)]))
      : undefined,
    shape: isObject(it.fields) ? readShape(it) : undefined,
    isBound: it.bound === true,
  };
};

/** The keys of an entry of the block schema. */
export const readShape = (given: unknown): ShapeDescription => {
  const fields = isObject(given) && isObject(given.fields) ? given.fields : {};
  return {
    fields: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, readDescription(field)])),
  };
};

const tableOf = (schema: Tables, name: string): JsonObject => {
  const tables: Readonly<Record<string, JsonObject>> = {
    blocks: schema.block_types,
    elements: schema.elements,
    rich_text: schema.rich_text,
    cells: schema.table_cells,
    charts: schema.charts,
    interactions: schema.interactivity.actions,
  };
  return tables[name] ?? {};
};

/** The keys of a type of a table; those of the form with a `source` where the value has one. */
export const shapeIn = (
  schema: Tables,
  table: string,
  type: string,
  value: unknown,
): ShapeDescription | undefined => {
  const types = tableOf(schema, table);
  const entry = Object.hasOwn(types, type) ? types[type] : undefined;
  if (!isObject(entry)) return undefined;
  const isBound = isObject(value) && Object.hasOwn(value, 'source') && isObject(entry.data_bound);
  return readShape(isBound ? entry.data_bound : entry);
};

/** The figure of a limit. */
export const figureOf = (schema: Tables, limit: string | undefined): number | undefined => {
  if (limit === undefined) return undefined;
  const found = schema.limits[limit] ?? schema.interactivity.limits[limit];
  return isObject(found) && typeof found.max === 'number' ? found.max : undefined;
};

/** The least value that a description allows to begin with. */
export const blankValue = (description: Description, schema: Tables): unknown => {
  const { kind, variants = {}, types, table = '', values, of, shape } = description;
  switch (kind) {
    case 'boolean':
      return true;
    case 'choice':
      return values[0] ?? '';
    case 'integer':
    case 'number':
    case 'count':
      return 1;
    case 'list':
    case 'plain_list':
      return of === undefined ? [] : [blankValue(of, schema)];
    case 'nullable':
      return of === undefined ? null : blankValue(of, schema);
    case 'one_of': {
      const type = types[0] ?? '';
      const inner = shapeIn(schema, table, type, undefined);
      return { type, ...(inner && blankOf(inner, schema)) };
    }
    case 'variants': {
      const type = Object.hasOwn(variants, 'mrkdwn') ? 'mrkdwn' : (Object.keys(variants)[0] ?? '');
      const inner = variants[type];
      return { type, ...(inner && blankOf(inner, schema)) };
    }
    case 'object':
      return shape === undefined ? {} : blankOf(shape, schema);
    case 'blocks':
      return [];
    case 'json':
      return {};
    default:
      return '';
  }
};

/** An object with what it must have. */
export const blankOf = ({ fields }: ShapeDescription, schema: Tables): JsonObject =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      field.required ? [[name, blankValue(field, schema)]] : [],
    ),
  );

/** What may stand at a pointer that leads from a block to one of its parts; undefined where the language has no such part. */
export const descriptionOfPart = (
  document: unknown,
  pointer: string,
  schema: Tables,
): Description | undefined => {
  const isItem = /^\d+$/.test(lastStep(pointer));
  const key = isItem ? parentOf(pointer) : pointer;
  const shape = shapeAt(document, parentOf(key), schema);
  const description = shape?.fields[lastStep(key)];
  return isItem ? description?.of : description;
};

const shapeAt = (document: unknown, pointer: string, schema: Tables): ShapeDescription | undefined => {
  const value = valueAt(document, pointer);
  const type = isObject(value) ? (textOf(value.type) ?? '') : '';
  if (isBlockAt(pointer)) return shapeIn(schema, 'blocks', type, value);
  const { variants, table = '' } = descriptionOfPart(document, pointer, schema) ?? {};
  return variants === undefined ? shapeIn(schema, table, type, value) : variants[type];
};
