import type { JsonObject } from '../json.ts';
import type { Grammar } from '../parse/grammar.ts';
import { fixed, type Node } from '../parse/node.ts';
import { contextIn, type ParseContext, report } from '../parse/parse-context.ts';
import { withId } from './block-id.ts';
import { objectParser, optional, required, type Shape } from './object.ts';

const prepared = (node: Node | undefined): Grammar => ({
  parse: () => node,
  describe: () => ({ kind: 'json' }),
});

interface Native {
  /** The block as the platform takes it. */
  readonly type: string;
  readonly shape: Shape;
  /** The keys of its pattern, so that a misspelt one is found. */
  readonly patternKeys: readonly string[];
  /** The keys that the pattern makes: `nodes` of the program, or undefined where the pattern is wrong. */
  readonly nodes: Readonly<Record<string, Node | undefined>>;
}

/** Reports keys of the native form that stand next to a `source`; false when there are any. */
const checkNative = (value: JsonObject, keys: readonly string[], context: ParseContext): boolean => {
  const given = keys.filter((key) => Object.hasOwn(value, key));
  for (const key of given) {
    report(
      contextIn(context, key),
      'key.one_of',
      `\`${key}\` is made from the \`source\`; give one of the two.`,
    );
  }
  return given.length === 0;
};

/**
 * Parses a data-bound block to its native form.
 *
 * @param value the block without the keys of its pattern
 * @param what what the block is, for messages
 */
export const parseNative = (
  value: JsonObject,
  { type, shape, patternKeys, nodes }: Native,
  what: string,
  context: ParseContext,
): Node | undefined => {
  const keys = Object.keys(nodes);
  const made = Object.fromEntries(keys.map((key) => [key, required(prepared(nodes[key]))]));
  const typeKey = optional({ parse: () => fixed(type), describe: () => ({ kind: 'type' }) });
  const native = { ...shape, boundKeys: patternKeys, fields: { type: typeKey, ...shape.fields, ...made } };
  const parser = objectParser(withId({ shape: native }).shape, what);
  const sound = checkNative(value, keys, context);
  const filled = { ...value, ...Object.fromEntries(keys.map((key) => [key, null])) };
  const node = parser(filled, context);
  return sound ? node : undefined;
};
