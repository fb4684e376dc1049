import type { JsonObject } from './schemas.ts';

type Kind = 'parameters' | 'responses' | 'examples';

/** Where parts stand: once for all operations that have them, or in each of these. */
export type Placement = 'shared' | 'in_place';

/** Parts of a document that many operations have: each stands once, and operations refer to it. */
export class SharedComponents {
  readonly parameters: JsonObject;
  readonly responses: JsonObject = {};
  readonly examples: JsonObject = {};
  readonly #placement: Placement;

  /** @param parameters those that are there from the beginning */
  constructor(parameters: JsonObject, placement: Placement) {
    this.parameters = { ...parameters };
    this.#placement = placement;
  }

  /** A reference to a part, under the first of some names that no other part has; the part itself where all are taken. */
  refer(kind: Kind, names: readonly string[], part: JsonObject): JsonObject {
    if (this.#placement === 'in_place') return part;
    const text = JSON.stringify(part);
    const name = names.find((it) => JSON.stringify(this[kind][it] ?? part) === text);
    if (name === undefined) return part;
    this[kind][name] = part;
    return { $ref: `#/components/${kind}/${name}` };
  }
}
