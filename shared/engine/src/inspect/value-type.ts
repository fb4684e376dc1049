import { isoMomentOf } from '../expressions/filters/moment.ts';
import { isList, isObject } from '../json.ts';
import { hasKeys, lengthIn, type ReadNode } from './read-tree.ts';

/** The type of a value of the data. */
export const inputTypes = ['string', 'number', 'boolean', 'date', 'array', 'object'] as const;

/** See {@link inputTypes}. */
export type InputType = (typeof inputTypes)[number];

const typeOfSample = (sample: unknown): InputType | undefined => {
  if (sample === null || sample === undefined) return undefined;
  if (isList(sample)) return 'array';
  if (isObject(sample)) return 'object';
  // Digits alone may be a moment too, and are more often a number of something.
  if (typeof sample === 'string') return isoMomentOf(sample) === undefined ? 'string' : 'date';
  if (typeof sample === 'number') return 'number';
  return typeof sample === 'boolean' ? 'boolean' : undefined;
};

/** The one type of all samples; undefined when there are none, or when they differ. */
export const typeOfSamples = (samples: readonly unknown[]): InputType | undefined => {
  const types = new Set(samples.map(typeOfSample).filter((type) => type !== undefined));
  if (types.size === 2 && types.has('date') && types.has('string')) return 'string';
  return types.size === 1 ? [...types][0] : undefined;
};

const typesOfFilters: Readonly<Record<string, InputType>> = {
  number: 'number',
  currency: 'number',
  percent: 'number',
  plural: 'number',
  date: 'date',
  chat_date: 'date',
  time_ago: 'date',
  join: 'array',
  first: 'array',
  last: 'array',
  count: 'array',
};

const typeOfFilters = ({ reads }: ReadNode): InputType | undefined => {
  for (const { filters, use } of reads) {
    if (use === 'choices') return 'array';
    const [first = ''] = filters;
    if (Object.hasOwn(typesOfFilters, first)) return typesOfFilters[first];
  }
  return undefined;
};

/** Types that filters take besides plain values. */
const widerTypes: Readonly<Record<string, readonly InputType[]>> = {
  json: ['array', 'object'],
  mention: ['array'],
};

/** Types that a value may have besides those of plain values, since every reading of it takes them. */
export const widerTypesOf = ({ reads }: ReadNode): readonly InputType[] => {
  const taken = reads.map(({ filters, use }) => {
    const name = use === 'json' ? 'json' : (filters.find((it) => it !== 'default') ?? '');
    return Object.hasOwn(widerTypes, name) ? (widerTypes[name] ?? []) : [];
  });
  const [first = [], ...others] = taken;
  return first.filter((type) => others.every((types) => types.includes(type)));
};

/** Types that the readings of a value allow; the first where nothing else is known of it. */
export interface Structure {
  readonly types: readonly [InputType, ...InputType[]];
  /** In words for people, behind "is read as". */
  readonly words: string;
}

const measured = (node: ReadNode): Structure => {
  const isText = typeOfFilters(node) !== 'array' && node.reads.some(({ use }) => use === 'text');
  const types = isText
    ? (['string', 'array', 'date', 'object'] as const)
    : (['array', 'string', 'date', 'object'] as const);
  return { types, words: 'a list or a text' };
};

/** The structure that a template goes into; plain values have none, and `conflict` is what no data can be. */
export const structureOf = (node: ReadNode): Structure | 'conflict' | undefined => {
  const { isIndexed, isLooped, isKeyed } = node;
  if (isIndexed) return hasKeys(node) ? 'conflict' : { types: ['array'], words: 'a list' };
  if (hasKeys(node)) return { types: ['object'], words: 'an object' };
  const isMeasured = lengthIn(node) !== undefined;
  if (!isLooped) return isMeasured ? measured(node) : undefined;
  // An object has no length but by a key of that name.
  const types = isKeyed && !isMeasured ? (['object', 'array'] as const) : (['array', 'object'] as const);
  return { types, words: 'a list or an object that is looped over' };
};

/** The type that the readings of a value imply; undefined where they imply none. */
export const typeOfReads = (node: ReadNode): InputType | undefined => {
  const structure = structureOf(node);
  if (structure === 'conflict') return undefined;
  return structure?.types[0] ?? typeOfFilters(node);
};
