import { isObject, type JsonObject } from '../files/canonical.ts';

/** A value that stands in a variable in place of the file. */
export interface VariableName {
  readonly env: string;
}

/** Whether a value names a variable. */
export const isVariable = (value: unknown): value is VariableName =>
  isObject(value) &&
  Object.keys(value).length === 1 &&
  typeof value.env === 'string' &&
  /^[A-Za-z_]\w{0,254}$/.test(value.env);

/** A document with the values of its variables. */
export interface Filled {
  readonly document: JsonObject;
  /** Variables that are not set; their names stand in place of their values. */
  readonly unset: readonly string[];
}

/**
 * Keys of objects that someone else may fill, as `{"env": "staging"}`: what stands there is never the name of a
 * variable.
 */
const neverFilled: readonly string[] = ['data', 'placeholder_mapping'];

/** The variables that files may name. */
export class Variables {
  readonly #env: Readonly<Record<string, string | undefined>>;

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.#env = env;
  }

  /** Puts the values of variables in place of their names, in the document itself and in the objects at some keys. */
  fill(document: JsonObject, deeper: readonly string[] = []): Filled {
    const unset: string[] = [];
    const filled = (value: unknown, key: string): unknown => {
      if (isVariable(value)) {
        const given = this.#env[value.env];
        if (given) return given;
        unset.push(value.env);
        return `$${value.env}`;
      }
      if (!deeper.includes(key) || !isObject(value)) return value;
      const { document: inner, unset: missing } = this.fill(value);
      unset.push(...missing);
      return inner;
    };
    const entries = Object.entries(document).map(([key, value]): [string, unknown] => [
      key,
      neverFilled.includes(key) ? value : filled(value, key),
    ]);
    return { document: Object.fromEntries(entries), unset };
  }
}

/** The name of a variable for a value that a file must not hold. */
export const variableFor = (...words: readonly string[]): string =>
  words
    .join('_')
    .toUpperCase()
    .replaceAll(/[^A-Z\d]+/g, '_')
    .replace(/^(?=\d)/, '_');
