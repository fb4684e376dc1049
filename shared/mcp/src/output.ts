import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';

/** The JSON of each kind that an answer may have under a name. */
interface Kinds {
  array: readonly unknown[];
  object: object;
  string: string;
  integer: number;
  boolean: boolean;
  /** Of several kinds, or null. */
  any: unknown;
}

/** What a tool may answer: each name, and the kind of its value. An outline leaves names out. */
export type Output = Readonly<Record<string, keyof Kinds>>;

/** The content of an answer; the compiler holds it to what the tool has declared, and it may have more. */
export type Content<O extends Output> = { [Name in keyof O]?: Kinds[O[Name]] } & Record<string, unknown>;

/** The schema of an answer, as short as it may be: a list of tools has room for few words. */
export const outputSchema = (output: Output): StandardSchemaWithJSON => {
  const properties = Object.entries({ ...output, is_cut: 'any' }).map(([name, kind]) => [
    name,
    kind === 'any' ? {} : { type: kind },
  ]);
  const schema = { type: 'object', properties: Object.fromEntries(properties) };
  return {
    '~standard': {
      version: 1,
      vendor: 'stanza',
      // The compiler has compared the two.
      validate: (value) => ({ value }),
      jsonSchema: { input: () => schema, output: () => schema },
    },
  };
};
