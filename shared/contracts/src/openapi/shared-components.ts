import { isJsonObject, type JsonObject } from './schemas.ts';

type Kind = 'parameters' | 'responses' | 'examples';

/** Where parts stand: once for all operations that have them, or in each of these. */
export type Placement = 'shared' | 'in_place';

/** The references to parts that occur once in a value. */
const loneIn = (value: unknown): Set<string> => {
  const found = new Set<string>();
  const again = new Set<string>();
  for (const [, ref = ''] of JSON.stringify(value).matchAll(/"\$ref":"([^"]+)"/g))
    (found.has(ref) ? again : found).add(ref);
  for (const ref of again) found.delete(ref);
  return found;
};

/** Parts of a document that many operations have: each stands once, and operations refer to it. */
export class SharedComponents {
  /** Parts by their references. */
  readonly #parts = new Map<string, JsonObject>();
  readonly #fixed: JsonObject;
  readonly #placement: Placement;

  /** @param fixed parameters whose names are taken */
  constructor(fixed: JsonObject, placement: Placement) {
    this.#fixed = fixed;
    this.#placement = placement;
  }

  /** A reference to a part, under the first of some names that no other part has; the part itself where all are taken. */
  refer(kind: Kind, names: readonly string[], part: JsonObject): JsonObject {
    if (this.#placement === 'in_place') return part;
    const text = JSON.stringify(part);
    const $ref = names
      .filter((name) => kind !== 'parameters' || !Object.hasOwn(this.#fixed, name))
      .map((name) => `#/components/${kind}/${name}`)
      .find((it) => JSON.stringify(this.#parts.get(it) ?? part) === text);
    if ($ref === undefined) return part;
    this.#parts.set($ref, part);
    return { $ref };
  }

  /**
   * The content of a document and the parts that it shares. A part that one place alone refers to stands there, since
   * its name would only take room.
   */
  settle(content: JsonObject): { content: JsonObject; components: Record<Kind, JsonObject> } {
    const lone = loneIn([content, ...this.#parts.values()]);
    const settled = (value: JsonObject): JsonObject => {
      const part = lone.has(String(value.$ref)) ? this.#parts.get(String(value.$ref)) : undefined;
      const entries = Object.entries(part ?? value);
      return Object.fromEntries(entries.map(([key, inner]) => [key, settledValue(inner)]));
    };
    const settledValue = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(settledValue);
      return isJsonObject(value) ? settled(value) : value;
    };
    const shared = [...this.#parts].filter(([$ref]) => !lone.has($ref));
    const partsOf = (kind: Kind): JsonObject =>
      Object.fromEntries(
        shared.flatMap(([$ref, part]) => {
          const [, name] = $ref.split(`#/components/${kind}/`);
          return name === undefined ? [] : [[name, settled(part)]];
        }),
      );
    return {
      content: settled(content),
      components: {
        parameters: partsOf('parameters'),
        responses: partsOf('responses'),
        examples: partsOf('examples'),
      },
    };
  }
}
