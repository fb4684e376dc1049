import { isList, isObject } from '../json.ts';
import type { Guard, ParseContext, Read, Scope } from '../parse/parse-context.ts';
import type { ReadStep } from '../run/path-text.ts';
import { at, boundsOf, locateFrom, type Schema } from './conditions.ts';
import type { DerivedField } from './fields.ts';
import { needsItem } from './read-tree.ts';
import { TypesByPath } from './types-by-path.ts';

const isThere: Schema = { not: { type: 'null' } };

const guardsOf = (guard: Guard | undefined): Guard[] =>
  guard === undefined ? [] : [...guardsOf(guard.parent), guard];

type Around = Pick<ParseContext, 'scope' | 'names'>;

/** All loops around a reading, also those around a `#with`. */
const loopsOf = ({ scope, names }: Around): Scope[] => {
  if (scope !== undefined) return [scope, ...loopsOf({ scope: scope.parent, names })];
  return names === undefined ? [] : loopsOf({ scope: names.scope, names: names.parent });
};

/** Whether a loop repeats the list of a loop around it: steps alone then do not tell their items apart. */
const isTwisted = (around: Around): boolean => {
  const seen = new Set<string>();
  for (const loop of loopsOf(around)) {
    const steps = JSON.stringify(loop.steps ?? null);
    if (loop.steps !== undefined && seen.has(steps)) return true;
    seen.add(steps);
  }
  return false;
};

/** Goes into every item of a list, or every value of an object, at the end of some steps, where there is one. */
const throughItems = (
  steps: readonly string[],
  keyword: 'items' | 'additionalProperties',
  inner: Schema,
): Schema => {
  const [first, ...rest] = steps;
  if (first === undefined) return { [keyword]: inner };
  return { properties: Object.fromEntries([[first, throughItems(rest, keyword, inner)]]) };
};

/** Comparisons of a condition. */
const countOf = (condition: unknown): number => {
  if (!isObject(condition)) return 0;
  const { all, any, not } = condition;
  const several = isList(all) ? all : isList(any) ? any : undefined;
  if (several !== undefined) return several.reduce<number>((sum, one) => sum + countOf(one), 0);
  return not === undefined ? 1 : countOf(not);
};

/**
 * Comparisons that the requirement of a reading has at most: those around it, for the data and for each list on its path.
 */
export const comparisonsOf = ({ guards, steps }: Read): number => {
  const lists = steps.filter((step) => typeof step !== 'string').length;
  return (1 + lists) * guardsOf(guards).reduce((sum, { condition }) => sum + countOf(condition), 0);
};

/** Makes the requirements of the readings of one template. */
export class Requirements {
  /** What a condition requires of the value at some steps, by the steps: many readings stand in one condition. */
  readonly #known = new Map<Guard, Map<string, { schema: Schema | undefined }>>();
  readonly #types: TypesByPath;

  constructor(data: Pick<DerivedField, 'fields' | 'items'>) {
    this.#types = new TypesByPath(data);
  }

  /** The required keys of a reading inside `#if`s, under their conditions. */
  of(read: Read): Schema {
    return this.#requiredFrom(read, 0);
  }

  #requiredFrom(read: Read, from: number): Schema {
    const inner = this.#belowFrom(read, from);
    const condition = this.#conditionAt(read, read.steps.slice(0, from));
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema; a schema is never awaited
    return condition === undefined ? inner : { if: condition, then: inner };
  }

  /** The required keys from a step on, without conditions on earlier steps. */
  #belowFrom(read: Read, from: number): Schema {
    const { steps } = read;
    const next = steps.findIndex((step, index) => index >= from && typeof step !== 'string');
    const names = steps
      .slice(from, next === -1 ? undefined : next)
      .filter((step) => typeof step === 'string');
    const step = steps[next];
    if (step === undefined) {
      // A list or a text that is there has its length.
      const there = this.#types.isLength(steps) ? names.slice(0, -1) : names;
      return at(there, needsItem(read) ? { ...isThere, minItems: 1 } : isThere);
    }
    const items = this.#requiredFrom(read, next + 1);
    // A loop misses nothing in an empty list; an index requires its item to exist.
    if (step === null) return throughItems(names, this.#types.itemsKeyword(steps.slice(0, next)), items);
    return at(names, { type: 'array', minItems: Number(step) + 1, items });
  }

  /** The requirements of the conditions around a reading on the value at `base`, where a schema can express them. */
  #conditionAt(read: Read, base: readonly ReadStep[]): Schema | undefined {
    if (isTwisted(read)) return undefined;
    const said = guardsOf(read.guards).flatMap((guard) => {
      const schema = this.#boundOf(guard, base);
      return schema === undefined ? [] : [schema];
    });
    return said.length > 1 ? { allOf: said } : said[0];
  }

  #boundOf(guard: Guard, base: readonly ReadStep[]): Schema | undefined {
    const known = this.#known.get(guard) ?? new Map<string, { schema: Schema | undefined }>();
    this.#known.set(guard, known);
    const key = JSON.stringify(base);
    const found = known.get(key);
    if (found) return found.schema;
    const { when, unless } = boundsOf(guard.condition, locateFrom(base, guard, this.#types));
    const schema = guard.holds ? when : unless;
    known.set(key, { schema });
    return schema;
  }
}
