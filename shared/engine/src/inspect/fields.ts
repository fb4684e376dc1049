import { isList, isObject } from '../json.ts';
import type { ReadNode } from './read-tree.ts';

/** The type of a value of the data. */
export const inputTypes = ['string', 'number', 'boolean', 'date', 'array', 'object'] as const;

/** See {@link inputTypes}. */
export type InputType = (typeof inputTypes)[number];

/** The entity's declaration of a field; it takes precedence over samples. */
export interface KnownField {
  readonly type: InputType;
  readonly label?: string | undefined;
  readonly description?: string | undefined;
  readonly fields?: Readonly<Record<string, KnownField>> | undefined;
}

/** One value that a template reads. */
export interface InputField {
  name: string;
  /** Dotted path from the root of the data; items of a list are written `items[]`. */
  path: string;
  label: string;
  type: InputType;
  required: boolean;
  description?: string;
  example?: unknown;
  fields?: InputField[];
  /** The type of a list's items. */
  items?: InputField;
}

/** A field, and what the schema of the data needs to know besides. */
export interface DerivedField extends InputField {
  fields?: DerivedField[];
  items?: DerivedField;
  /** The type comes from an entity or a sample, not from how the value is read alone. */
  isKnown: boolean;
  /** Items that a list must have. */
  least: number;
}

/** Facts about a path besides its readings. */
interface Evidence {
  readonly samples: readonly unknown[];
  readonly known: KnownField | undefined;
}

const isoDate = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

const typeOfSample = (sample: unknown): InputType | undefined => {
  if (sample === null || sample === undefined) return undefined;
  if (isList(sample)) return 'array';
  if (isObject(sample)) return 'object';
  if (typeof sample === 'string') return isoDate.test(sample) ? 'date' : 'string';
  if (typeof sample === 'number') return 'number';
  return typeof sample === 'boolean' ? 'boolean' : undefined;
};

/** The one type of all samples; undefined when there are none, or when they differ. */
const typeOfSamples = (samples: readonly unknown[]): InputType | undefined => {
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

/** The type that a reading implies. */
const typeOfReads = ({ children, item, reads }: ReadNode): InputType | undefined => {
  if (item !== undefined || reads.some(({ use }) => use === 'list')) return 'array';
  if (children.size > 0) return 'object';
  for (const { filters } of reads) {
    const [first = ''] = filters;
    if (Object.hasOwn(typesOfFilters, first)) return typesOfFilters[first];
  }
  return undefined;
};

/** The structure that a template goes into; plain values have none. */
const structureOf = (node: ReadNode): 'array' | 'object' | undefined => {
  if (node.item !== undefined || node.reads.some(({ use }) => use === 'list')) return 'array';
  return node.children.size > 0 ? 'object' : undefined;
};

const labelOf = (name: string): string => {
  const words = name.replaceAll(/[_\-$]+|(?<=[\p{Ll}\d])(?=\p{Lu})/gu, ' ').trim();
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1);
};

/** Values of the sample data that are looked at for one path: lists may have very many items, and templates many paths. */
const mostSamples = 1_000;

const childEvidence = ({ samples, known }: Evidence, key: string): Evidence => ({
  samples: samples.flatMap((sample) => (isObject(sample) && Object.hasOwn(sample, key) ? [sample[key]] : [])),
  known: known?.fields && Object.hasOwn(known.fields, key) ? known.fields[key] : undefined,
});

/** The fields of an entity's list are those of its items. */
const itemEvidence = ({ samples, known }: Evidence): Evidence => ({
  samples: samples
    .flatMap((sample) => (isList(sample) ? sample.slice(0, mostSamples) : []))
    .slice(0, mostSamples),
  known: known?.fields && { type: 'object', fields: known.fields },
});

/** What decides the type of a value that a template goes into, where the entity or the samples have another one. */
export type Preference = 'evidence' | 'reads';

/** Derives the fields of a template and collects the warnings. */
class Derivation {
  readonly warnings: string[] = [];
  readonly #prefer: Preference;

  constructor(prefer: Preference) {
    this.#prefer = prefer;
  }

  field(name: string, path: string, node: ReadNode, evidence: Evidence): DerivedField {
    const { known, samples } = evidence;
    const type = this.#typeAt(path, node, evidence);
    const example = samples.find((sample) => sample !== undefined && sample !== null);
    return {
      name,
      path,
      label: known?.label ?? labelOf(name),
      type,
      required: node.required,
      ...(known?.description !== undefined && { description: known.description }),
      ...(example !== undefined && { example }),
      ...this.#inside(path, type, node, evidence),
      isKnown: known !== undefined || typeOfSamples(samples) !== undefined,
      least: node.least,
    };
  }

  fields(path: string, node: ReadNode, evidence: Evidence): DerivedField[] {
    return [...node.children].map(([name, child]) =>
      this.field(name, path === '' ? name : `${path}.${name}`, child, childEvidence(evidence, name)),
    );
  }

  #inside(
    path: string,
    type: InputType,
    node: ReadNode,
    evidence: Evidence,
  ): Pick<DerivedField, 'fields' | 'items'> {
    if (type === 'object') return { fields: this.fields(path, node, evidence) };
    if (type !== 'array') return {};
    const below = itemEvidence(evidence);
    if (node.item === undefined && typeOfSamples(below.samples) === undefined) return {};
    const item = node.item ?? { children: new Map(), item: undefined, least: 0, reads: [], required: false };
    return { items: this.field('item', `${path}[]`, item, below) };
  }

  #typeAt(path: string, node: ReadNode, { samples, known }: Evidence): InputType {
    const structure = structureOf(node);
    const given = known?.type ?? typeOfSamples(samples);
    if (structure === 'array' && node.children.size > 0) {
      this.warnings.push(`\`${path}\` is read as a list and as an object; no data can be both.`);
      return 'string';
    }
    if (given === undefined) {
      if (samples.some((sample) => sample !== null)) {
        this.warnings.push(`\`${path}\` has values of several types in the sample data.`);
        return structure ?? 'string';
      }
      return typeOfReads(node) ?? 'string';
    }
    if (structure === undefined || structure === given) return given;
    if (this.#prefer === 'reads') return structure;
    const whose = known ? 'the entity' : 'the sample data';
    this.warnings.push(
      `\`${path}\` is read as ${structure === 'array' ? 'a list' : 'an object'}, but it is ${given} in ${whose}.`,
    );
    return 'string';
  }
}

/** The values that a template reads, with the types of sample data and entity. */
export const deriveFields = (
  root: ReadNode,
  sample: unknown,
  known: Readonly<Record<string, KnownField>> = {},
  prefer: Preference = 'evidence',
): { fields: DerivedField[]; warnings: string[] } => {
  const derivation = new Derivation(prefer);
  const fields = derivation.fields('', root, { samples: [sample], known: { type: 'object', fields: known } });
  return { fields, warnings: derivation.warnings };
};
