import { isList, isObject } from '../json.ts';
import { writePath } from '../run/path-text.ts';
import { joinNodes, lengthIn, newNode, type ReadNode } from './read-tree.ts';
import { type InputType, structureOf, typeOfReads, typeOfSamples, widerTypesOf } from './value-type.ts';

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
  /**
   * Path from the root of the data as placeholders write it; items of a list, and values of an object that is looped
   * over, are written `items[]`.
   */
  path: string;
  label: string;
  type: InputType;
  required: boolean;
  description?: string;
  example?: unknown;
  fields?: InputField[];
  /** The type of a list's items, or of the values of an object that a loop goes over. */
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
  /** Its length is read, and no item of it: it may be a list or a text. */
  isMeasured: boolean;
  /** Nothing is read of the value itself. */
  isUnread: boolean;
  /** Types that its readings take besides plain values. */
  wider: readonly InputType[];
}

/** What decides where the readings of a path and the samples disagree. */
export interface DerivationOptions {
  /**
   * `samples`: the type falls back to `string`, with a warning. `reads`: the type is that of the readings, as for blocks
   * whose data is not known yet. Default: samples.
   */
  readonly prefer?: 'samples' | 'reads' | undefined;
}

/** Facts about a path besides its readings. */
interface Evidence {
  readonly samples: readonly unknown[];
  readonly known: KnownField | undefined;
}

const labelOf = (name: string): string => {
  const words = name.replaceAll(/[_\-$\s]+|(?<=[\p{Ll}\d])(?=\p{Lu})/gu, ' ').trim();
  return words === '' ? writePath([name]) : words.charAt(0).toUpperCase() + words.slice(1);
};

/** Values of the sample data that are looked at for one path: lists may have very many items, and templates many paths. */
const maxSamples = 1_000;

const childEvidence = ({ samples, known }: Evidence, key: string): Evidence => ({
  samples: samples.flatMap((sample) => (isObject(sample) && Object.hasOwn(sample, key) ? [sample[key]] : [])),
  known: known?.fields && Object.hasOwn(known.fields, key) ? known.fields[key] : undefined,
});

/** The items of the samples; the fields of an entity's list are those of its items. */
const itemEvidence = ({ samples, known }: Evidence): Evidence => ({
  samples: samples
    .flatMap((sample) => (isList(sample) ? sample.slice(0, maxSamples) : []))
    .slice(0, maxSamples),
  known: known?.fields && { type: 'object', fields: known.fields },
});

const valueEvidence = ({ samples }: Evidence): Evidence => ({
  samples: samples
    .flatMap((sample) => (isObject(sample) ? Object.values(sample).slice(0, maxSamples) : []))
    .slice(0, maxSamples),
  known: undefined,
});

/** Derives the fields of a template and collects the warnings. */
class Derivation {
  readonly warnings: string[] = [];
  readonly #prefer: DerivationOptions['prefer'];

  constructor({ prefer = 'samples' }: DerivationOptions) {
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
      isMeasured: lengthIn(node) !== undefined && !node.isLooped && !node.isIndexed,
      isUnread: node.reads.length === 0 && node.children.size === 0 && node.item === undefined,
      wider: widerTypesOf(node),
    };
  }

  #fields(path: string, node: ReadNode, evidence: Evidence): DerivedField[] {
    const { item } = node;
    return [...node.children].map(([name, child]) => {
      // A loop over the object visits this value as well, where it is there.
      const read = item === undefined ? child : { ...joinNodes(child, item), required: child.required };
      return this.field(name, writePath([name], path), read, childEvidence(evidence, name));
    });
  }

  /** The parts of an object: the fields that are read by their keys, and the values that a loop goes over. */
  insideObject(path: string, node: ReadNode, evidence: Evidence): Pick<DerivedField, 'fields' | 'items'> {
    const fields = this.#fields(path, node, evidence);
    if (!node.isLooped) return { fields };
    const items = this.field(
      'value',
      writePath([null], path),
      node.item ?? newNode(),
      valueEvidence(evidence),
    );
    return fields.length === 0 ? { items } : { fields, items };
  }

  #inside(
    path: string,
    type: InputType,
    node: ReadNode,
    evidence: Evidence,
  ): Pick<DerivedField, 'fields' | 'items'> {
    if (type === 'object') return this.insideObject(path, node, evidence);
    if (type !== 'array') return {};
    const below = itemEvidence(evidence);
    if (node.item === undefined && typeOfSamples(below.samples) === undefined) return {};
    return { items: this.field('item', writePath([null], path), node.item ?? newNode(), below) };
  }

  #typeAt(path: string, node: ReadNode, { samples, known }: Evidence): InputType {
    const structure = structureOf(node);
    const given = known?.type ?? typeOfSamples(samples);
    if (structure === 'conflict') {
      this.warnings.push(`\`${path}\` is read as a list and as an object; no data can be both.`);
      return 'string';
    }
    if (given === undefined) {
      if (samples.some((sample) => sample !== null)) {
        this.warnings.push(`\`${path}\` has values of several types in the sample data.`);
        return structure?.types[0] ?? 'string';
      }
      return typeOfReads(node) ?? 'string';
    }
    if (structure === undefined || structure.types.includes(given)) return given;
    const whose = known ? 'the entity' : 'the sample data';
    this.warnings.push(`\`${path}\` is read as ${structure.words}, but it is ${given} in ${whose}.`);
    return this.#prefer === 'reads' ? structure.types[0] : 'string';
  }
}

/** What a template reads of its data. */
export interface DerivedFields {
  readonly fields: DerivedField[];
  /** The values of the data itself, where a loop goes over them. */
  readonly items: DerivedField | undefined;
  readonly warnings: string[];
}

/** The values that a template reads, with the types of sample data and entity. */
export const deriveFields = (
  root: ReadNode,
  sample: unknown,
  known: Readonly<Record<string, KnownField>> = {},
  options: DerivationOptions = {},
): DerivedFields => {
  const derivation = new Derivation(options);
  const evidence: Evidence = { samples: [sample], known: { type: 'object', fields: known } };
  const { fields = [], items } = derivation.insideObject('', root, evidence);
  return { fields, items, warnings: derivation.warnings };
};
