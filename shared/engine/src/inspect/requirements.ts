import type { Guard, Read, Scope } from '../parse/parse-context.ts';
import type { ReadStep } from '../parse/parsed-path.ts';
import { at, boundsOf, locateFrom, type Schema } from './conditions.ts';
import { needsItem } from './read-tree.ts';

const isThere: Schema = { not: { type: 'null' } };

const guardsOf = (guard: Guard | undefined): Guard[] =>
  guard === undefined ? [] : [...guardsOf(guard.parent), guard];

/** Whether a loop repeats the list of a loop around it: steps alone then do not tell their items apart. */
const isTwisted = (scope: Scope | undefined): boolean => {
  const seen = new Set<string>();
  for (let loop = scope; loop !== undefined; loop = loop.parent) {
    const steps = JSON.stringify(loop.steps ?? null);
    if (loop.steps !== undefined && seen.has(steps)) return true;
    seen.add(steps);
  }
  return false;
};

/** The requirements of the conditions around a reading on the value at `base`, where a schema can express them. */
const conditionAt = (read: Read, base: readonly ReadStep[]): Schema | undefined => {
  if (isTwisted(read.scope)) return undefined;
  const said = guardsOf(read.guards).flatMap(({ condition, scope, holds }) => {
    const { when, unless } = boundsOf(condition, locateFrom(base, scope));
    const schema = holds ? when : unless;
    return schema === undefined ? [] : [schema];
  });
  return said.length > 1 ? { allOf: said } : said[0];
};

/** Goes into every value of a list at the end of some steps, where there is one. */
const throughItems = (steps: readonly string[], items: Schema): Schema => {
  const [first, ...rest] = steps;
  if (first === undefined) return { items };
  return { properties: Object.fromEntries([[first, throughItems(rest, items)]]) };
};

/** The required keys from a step on, without conditions on earlier steps. */
const belowFrom = (read: Read, from: number): Schema => {
  const { steps } = read;
  const next = steps.findIndex((step, index) => index >= from && typeof step !== 'string');
  const names = steps.slice(from, next === -1 ? undefined : next).filter((step) => typeof step === 'string');
  const step = steps[next];
  if (step === undefined) return at(names, needsItem(read) ? { ...isThere, minItems: 1 } : isThere);
  const items = requiredFrom(read, next + 1);
  // A loop misses nothing in an empty list; an index requires its item to exist.
  if (step === null) return throughItems(names, items);
  return at(names, { type: 'array', minItems: Number(step) + 1, items });
};

const requiredFrom = (read: Read, from: number): Schema => {
  const inner = belowFrom(read, from);
  const condition = conditionAt(read, read.steps.slice(0, from));
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema; a schema is never awaited
  return condition === undefined ? inner : { if: condition, then: inner };
};

/** The required keys of a reading inside `#if`s, under their conditions. */
export const requirementOf = (read: Read): Schema => requiredFrom(read, 0);
