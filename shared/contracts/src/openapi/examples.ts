import { isJsonObject, type JsonObject } from './schemas.ts';

/** Values of keys whose schema does not say what they look like. */
const typical: JsonObject = {
  attempt: 1,
  available: 999,
  balance: 999,
  channel: 'C0DEPLOYS',
  created_by: '01938c2e-7b1a-7c3d-9e4f-000060785ef2',
  credit_balance: 999,
  // These agree with the other examples: the status of a version is the first one, draft, and a modal has no steps.
  is_current: false,
  is_multi_step: false,
  email: 'ada@example.com',
  event_count: 1,
  first_name: 'Ada',
  kind: 'template',
  key: 'stz_live_4f9b2c7d8e1a4f9b2c7d8e1a4f9b2c7d',
  key_prefix: 'stz_live_4f9b',
  last_active: '2026-11-21T08:30:00.000Z',
  last_name: 'Lovelace',
  limit: 20,
  member_count: 3,
  message: 'Done.',
  message_ts: '1795249800.000100',
  method: 'chat.postMessage',
  name: 'Deploy alert',
  offset: 0,
  organization_name: 'Acme Rockets',
  remaining_credits: 999,
  outcome: 'ok',
  request_id: 'deploy-4711',
  scopes: ['templates:read', 'messages:create'],
  status: 'sent',
  text: 'Deploy of api',
  total: 1,
  type: 'message',
  version_number: 1,
  warnings: [],
};

/** Depth beyond which a recursive schema gets no further examples. */
const deepest = 8;

/** The source of an example. */
export interface ExampleSource {
  /** Schemas by name, for references. */
  components: JsonObject;
  /** Values of keys, taken where they fit: those of the operation's own request. */
  hints: JsonObject;
}

const snake = (name: string): string => name.replace(/(?<=[a-z0-9])[A-Z]/g, '_$&').toLowerCase();

/** The same id for the same kind of thing in the whole document. */
const idOf = (kind: string): string => {
  let hash = 0x811c9dc5;
  for (const character of kind.replace(/^(current|expected|template|modal)_(?=version)/, '')) {
    hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193) >>> 0;
  }
  return `01938c2e-7b1a-7c3d-9e4f-${hash.toString(16).padStart(12, '0')}`;
};

/** An id as the parameter or key of a name would hold it; `owner` is what a bare `id` belongs to. */
export const exampleId = (name: string, owner: string): string =>
  idOf(name === 'id' ? snake(owner) : name.replace(/_id$/, ''));

/** The types that a schema names. */
const typesOf = ({ type }: JsonObject): unknown[] => (Array.isArray(type) ? type : [type]);

const referred = (schema: JsonObject, { components }: ExampleSource): JsonObject => {
  const name = /^#\/components\/schemas\/(\w+)$/.exec(String(schema.$ref))?.[1];
  const found = name === undefined ? schema : components[name];
  return isJsonObject(found) ? found : {};
};

const fitsType = (value: unknown, type: unknown, schema: JsonObject, source: ExampleSource): boolean => {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') {
    const { items } = schema;
    return Array.isArray(value) && value.every((it) => !isJsonObject(items) || fits(it, items, source));
  }
  if (type !== 'object') return type === typeof value;
  const required = Array.isArray(schema.required) ? schema.required : [];
  return isJsonObject(value) && required.every((key) => Object.hasOwn(value, String(key)));
};

/** Whether a value taken from elsewhere may stand where a schema is. */
const fits = (value: unknown, schema: JsonObject, source: ExampleSource): boolean => {
  const meant = referred(schema, source);
  if (Array.isArray(meant.enum)) return meant.enum.includes(value);
  if (meant.const !== undefined) return meant.const === value;
  return meant.format !== 'uuid' && typesOf(meant).some((type) => fitsType(value, type, meant, source));
};

const textOf = (schema: JsonObject, { name, owner }: Place): string => {
  if (schema.format === 'uuid') return exampleId(name, owner);
  if (schema.format === 'date-time') return '2026-11-21T08:30:00.000Z';
  if (schema.format === 'date') return '2026-11-21';
  if (schema.format === 'email') return 'ada@example.com';
  return schema.format === 'uri' ? 'https://example.com/hook' : name.replaceAll('_', ' ') || 'text';
};

const said = (schema: JsonObject): unknown =>
  Array.isArray(schema.examples) ? schema.examples[0] : (schema.example ?? schema.const);

/** The schema of the non-null value, and whether null is allowed too. */
const withoutNull = (schema: JsonObject): { inner: JsonObject; isNullable: boolean } => {
  const types = typesOf(schema);
  if (types.includes('null') && types.length > 1) {
    return { inner: { ...schema, type: types.find((type) => type !== 'null') }, isNullable: true };
  }
  const branches = Array.isArray(schema.anyOf) ? schema.anyOf.filter(isJsonObject) : [];
  const inner = branches.find((it) => it.type !== 'null');
  return inner
    ? { inner, isNullable: branches.some((it) => it.type === 'null') }
    : { inner: schema, isNullable: false };
};

/** Where in a document an example stands. */
interface Place {
  /** Key of the value. */
  name: string;
  /** What a bare `id` belongs to. */
  owner: string;
  depth: number;
}

/** An example of a schema. Nullable values are null, unless a hint says otherwise. */
export const exampleOf = (
  schema: JsonObject,
  source: ExampleSource,
  place: Place = { name: '', owner: '', depth: 0 },
): unknown => {
  if (schema.$ref !== undefined) {
    const owner = String(schema.$ref).split('/').at(-1) ?? '';
    return exampleOf(referred(schema, source), source, { ...place, owner });
  }
  const given = said(schema);
  if (given !== undefined) return given;
  const { inner, isNullable } = withoutNull(schema);
  const { [place.name]: hint } = source.hints;
  const fitting = [hint, typical[place.name]].find((it) => it !== undefined && fits(it, inner, source));
  if (fitting !== undefined) return fitting;
  if (isNullable) return null;
  return inner === schema ? plainExample(schema, source, place) : exampleOf(inner, source, place);
};

const plainExample = (schema: JsonObject, source: ExampleSource, place: Place): unknown => {
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (schema.type === 'string') return textOf(schema, place);
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 0;
  if (schema.type === 'boolean') return true;
  return schema.type === 'array' ? listExample(schema, source, place) : objectExample(schema, source, place);
};

const listExample = ({ items }: JsonObject, source: ExampleSource, place: Place): unknown[] => {
  if (!isJsonObject(items) || place.depth >= deepest) return [];
  const name = place.name.endsWith('s') ? place.name.slice(0, -1) : '';
  return [exampleOf(items, source, { ...place, name, depth: place.depth + 1 })];
};

const objectExample = (schema: JsonObject, source: ExampleSource, place: Place): JsonObject => {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const entries = Object.entries(properties).flatMap(([name, property]) =>
    isJsonObject(property) && required.includes(name)
      ? [[name, exampleOf(property, source, { ...place, name, depth: place.depth + 1 })]]
      : [],
  );
  return Object.fromEntries(entries);
};
