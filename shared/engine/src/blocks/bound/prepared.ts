import { withId } from '../../grammar/block-id.ts';
import { objectParser, optional, required, type Shape } from '../../grammar/object.ts';
import type { Spec } from '../../grammar/spec.ts';
import type { JsonObject } from '../../json.ts';
import { fixed, type Part } from '../../parse/node.ts';
import { type Place, placeIn, report } from '../../parse/parse-context.ts';

const prepared = (part: Part | undefined): Spec => ({
  parse: () => part,
  describe: () => ({ kind: 'json' }),
});

interface Native {
  /** The block as the platform takes it. */
  readonly type: string;
  readonly shape: Shape;
  /** The keys that the pattern makes: `parts` of the program, or undefined where the pattern is wrong. */
  readonly parts: Readonly<Record<string, Part | undefined>>;
}

/** Reports keys of the native form that stand beside a `source`; false when there are any. */
const checkNative = (value: JsonObject, keys: readonly string[], place: Place): boolean => {
  const given = keys.filter((key) => Object.hasOwn(value, key));
  for (const key of given) {
    report(placeIn(place, key), 'key.one_of', `\`${key}\` is made from the \`source\`; give one of the two.`);
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
  { type, shape, parts }: Native,
  what: string,
  place: Place,
): Part | undefined => {
  const keys = Object.keys(parts);
  const made = Object.fromEntries(keys.map((key) => [key, required(prepared(parts[key]))]));
  const typeKey = optional({ parse: () => fixed(type), describe: () => ({ kind: 'type' }) });
  const native = { ...shape, fields: { type: typeKey, ...shape.fields, ...made } };
  const parser = objectParser(withId({ shape: native }).shape, what);
  const sound = checkNative(value, keys, place);
  const filled = { ...value, ...Object.fromEntries(keys.map((key) => [key, null])) };
  const part = parser(filled, place);
  return sound ? part : undefined;
};
