import type { AliasPlan } from '@stanza/contracts';
import { accepts, type DescribedParameter, type JsonSchema } from '../kit/openapi.ts';

/** A JSON object. */
export type JsonObject = Record<string, unknown>;

/** True for a JSON object. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value with every key that has an older spelling in that spelling. */
export const inOlderSpelling = (plan: AliasPlan | undefined, value: unknown): unknown => {
  if (!plan) return value;
  if (Array.isArray(value)) return value.map((item) => inOlderSpelling(plan.item, item));
  if (!isObject(value)) return value;
  const older = new Map([...plan.aliases].map(([alias, key]) => [key, alias]));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      older.get(key) ?? key,
      inOlderSpelling(plan.children.get(key), inner),
    ]),
  );
};

const uuid = '01938c2e-7b1a-7c3d-9e4f-0000000000aa';
const samples = [
  uuid,
  '2026-11-21T08:30:00.000Z',
  '2026-11-21',
  '1',
  'true',
  'sample',
  'userName eq "ada@example.com"',
  'displayName eq "admin"',
  '1795219400000-01938c2e-7b1a-7c3d-9e4f-0000000000aa',
];

/** A text that a query parameter takes. */
export const sampleOf = ({ schema }: DescribedParameter): string => {
  const fixed = Array.isArray(schema.enum) ? schema.enum.map(String) : [];
  const isTaken = (text: string): boolean => accepts(schema, schema.type === 'integer' ? Number(text) : text);
  const taken = [...fixed, ...samples].find(isTaken);
  if (taken === undefined) throw new Error(`no sample fits ${JSON.stringify(schema)}`);
  return taken;
};

/** Texts that a parameter does not take, each with what is wrong about it. */
export const wrongTextsFor = (schema: JsonSchema): [string, string][] => {
  const { type, minimum, maximum, maxLength } = schema;
  if (type === 'integer') {
    return [
      ['letters', 'ten'],
      ['a fraction', '1.5'],
      ['nothing', ''],
      ...(typeof minimum === 'number' ? [negative, below(minimum)] : []),
      ...(typeof maximum === 'number' ? [above(maximum)] : []),
    ];
  }
  const wrong: [string, string][] = [['U+0000', 'a\u0000b']];
  if (typeof maxLength === 'number') wrong.push(['a character too many', 'x'.repeat(maxLength + 1)]);
  if (!accepts(schema, 'strange value')) wrong.push(['another text', 'strange value']);
  return wrong;
};

const negative: [string, string] = ['a negative number', '-1'];
const below = (minimum: number): [string, string] => ['less than allowed', String(minimum - 1)];
const above = (maximum: number): [string, string] => ['more than allowed', String(maximum + 1)];

/** The keys of a value at every level, so that answers about different resources can be compared. */
export const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (!isObject(value)) return 'value';
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]));
};
