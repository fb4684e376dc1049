import { limits } from '../../limits.ts';
import { listed } from '../../parse/nearest.ts';
import { type ParseContext, report, type Scope } from '../../parse/parse-context.ts';
import type { ParsedPath } from '../../parse/parsed-path.ts';
import type { Origin, Segment } from '../../run/frame.ts';
import { type ReadStep, readPath, writePath } from '../../run/path-text.ts';
import { stepInto } from './value-at.ts';

const loopValues: Record<string, Exclude<Origin, 'root' | 'item' | 'given'>> = {
  '@index': 'index',
  '@number': 'number',
  '@first': 'first',
  '@last': 'last',
  '@count': 'count',
  '@key': 'key',
};

const scopeAt = (scope: Scope | undefined, up: number): Scope | undefined => {
  let at = scope;
  for (let level = 0; level < up; level += 1) at = at?.parent;
  return at;
};

const loopsAround = (scope: Scope | undefined): number => {
  let count = 0;
  for (let at = scope; at !== undefined; at = at.parent) count += 1;
  return count;
};

const rootPath = (written: string, segments: readonly Segment[]): ParsedPath => ({
  reference: { origin: 'root', up: 0, segments, written },
  steps: segments,
});

/** The names by which an interaction reads facts of its use. */
export const FACTS = 'interaction';

/** What a path reads of a value that a name of a `#with` stands for. */
const insideGiven = (
  written: string,
  { reference, steps, keysOf }: ParsedPath,
  rest: readonly Segment[],
  context: ParseContext,
): ParsedPath | undefined => {
  const { origin } = reference;
  if (origin === 'given') {
    const value = rest.reduce<unknown>(stepInto, reference.value);
    return { reference: { ...reference, written, value }, steps: undefined };
  }
  if (rest.length > 0 && origin !== 'root' && origin !== 'item') {
    const message = `\`${written.slice(0, 80)}\` goes into \`${reference.written}\`, a value of a loop, which has nothing inside.`;
    return report(context, 'path.scope', message);
  }
  const up = origin === 'root' ? 0 : reference.up + loopsAround(context.scope);
  return {
    reference: { origin, up, segments: [...reference.segments, ...rest], written },
    steps: steps && [...steps, ...rest],
    ...(keysOf && { keysOf }),
  };
};

const missingPath = (written: string): ParsedPath => ({
  reference: { origin: 'given', up: 0, segments: [], written },
  steps: undefined,
});

/** A path from the top of the data, which inside a `#with` are the names that it gives. */
const topPath = (
  written: string,
  segments: readonly Segment[],
  context: ParseContext,
): ParsedPath | undefined => {
  const { names, parsing } = context;
  const [first, ...rest] = segments;
  const isFact = first === FACTS && (parsing.tap !== undefined || parsing.saved !== undefined);
  if (names === undefined || isFact) return rootPath(written, segments);
  if (typeof first !== 'string' || !names.given.has(first)) {
    if (names.isPartial && first !== undefined) return missingPath(written);
    const known = [...names.given.keys()];
    const message = `\`${written.slice(0, 80)}\` is none of the names that \`#with\` gives to what is inside: ${listed(known) || 'none'}.`;
    return report(context, 'path.scope', message, { hint: 'Add it to `with`.' });
  }
  const given = names.given.get(first);
  return given && insideGiven(written, given, rest, context);
};

const itemPath = (
  written: string,
  context: ParseContext,
  up: number,
  segments: readonly Segment[],
): ParsedPath | undefined => {
  const at = scopeAt(context.scope, up);
  if (at === undefined) return topPath(written, segments, context);
  return {
    reference: { origin: 'item', up, segments, written },
    steps: at.steps === undefined ? undefined : [...at.steps, ...segments],
  };
};

/** Number of loops between the name and its binding; undefined when it is unbound. */
const boundAt = (scope: Scope | undefined, name: string | undefined): number | undefined => {
  let up = 0;
  for (let at = scope; at !== undefined; at = at.parent) {
    if (name !== undefined && at.name === name) return up;
    up += 1;
  }
  return undefined;
};

/** Programs give keys such names too, like `@timestamp`. */
const quotedHint = (name: string): string => {
  const [key = '', ...rest] = name.slice(0, 80).split(/(?=[.[])/);
  return `A key of the data that starts with @ is written in quotes: \`${writePath([key])}${rest.join('')}\`.`;
};

const loopValue = (
  written: string,
  name: string,
  up: number,
  context: ParseContext,
): ParsedPath | undefined => {
  const origin = Object.hasOwn(loopValues, name) ? loopValues[name] : undefined;
  if (/^@t(?:\.|$)/.test(name)) {
    const message = `\`${written.slice(0, 80)}\` is a text in languages, which stands as \`{{@t.key}}\` in a text or an address, and nowhere else.`;
    return report(context, 'translations.place', message, { hint: quotedHint(name) });
  }
  if (origin === undefined) {
    const known = Object.keys(loopValues).join(', ');
    const message = `\`${written.slice(0, 80)}\` is no value of a loop; there are ${known}.`;
    return report(context, 'path.syntax', message, { hint: quotedHint(name) });
  }
  const scope = scopeAt(context.scope, up);
  if (scope === undefined) {
    return report(context, 'path.scope', `\`${written}\` has a value inside an \`#each\` alone.`);
  }
  const reference = { origin, up, segments: [], written };
  return origin === 'key'
    ? { reference, steps: undefined, keysOf: scope.steps?.slice(0, -1) }
    : { reference, steps: undefined };
};

/** A path without its `../`: the number of loops that it leads out of, and the rest. */
const outOf = (written: string): { up: number; rest: string } => {
  if (!written.startsWith('..')) return { up: 0, rest: written };
  if (written === '..') return { up: 1, rest: 'this' };
  const outward = /^(?:\.\.\/)*/.exec(written)?.[0].length ?? 0;
  return { up: outward / 3, rest: written.slice(outward) || 'this' };
};

/**
 * Whether a path leads out of the loops of an interaction, to the values that its message kept. A value of a loop
 * around the element has no other source, so it is looked up there even if none was kept.
 */
const isSaved = (written: string, { parsing: { saved }, scope, names }: ParseContext): boolean => {
  if (saved === undefined || names !== undefined) return false;
  const { up, rest } = outOf(written);
  if (up > 0 || rest.startsWith('@')) return scopeAt(scope, up) === undefined;
  const { steps: [first] = [], isQuoted = false } = readPath(rest) ?? {};
  const name = isQuoted || typeof first !== 'string' ? undefined : first;
  if (name === 'this') return scope === undefined;
  return saved.has(written) && boundAt(scope, name) === undefined;
};

const hint =
  'Paths look like `order.total`, `items[0].name`, `this.name` or `../name`. A key with other characters than letters, digits, `_`, `$` and `-` is written in quotes: `labels["app.kubernetes.io/name"]`, `["First Name"]`.';

/** What is said of a place that names nothing yet; it is the first that a person sees of a new loop. */
const unnamed = {
  message: 'No value of the data is named here yet.',
  hint: 'Name one, as in `items` or `order.total`.',
};

/** The way out of what is no path. */
const hintFor = (written: string): string => {
  const bare = /^\{\{([^{}|]+)\}\}$/.exec(written)?.[1]?.trim();
  return bare === undefined ? hint : `Braces stand in texts alone; the path is \`${bare.slice(0, 80)}\`.`;
};

interface KeyPath {
  readonly segments: readonly Segment[];
  /** The first name, where it may mean something else than a key of the data. */
  readonly name: string | undefined;
}

/** Whether steps lead to one value: `[]` leads to many. */
const isReference = (steps: readonly ReadStep[]): steps is readonly Segment[] => !steps.includes(null);

/** Reads the keys of a path; undefined when they are wrong, which is then reported. */
const readKeys = (rest: string, written: string, context: ParseContext): KeyPath | undefined => {
  const { steps, isQuoted } = readPath(rest) ?? {};
  if (written === '') return report(context, 'path.syntax', unnamed.message, { hint: unnamed.hint });
  if (steps === undefined || !isReference(steps)) {
    return report(context, 'path.syntax', `\`${written.slice(0, 80)}\` is no path.`, {
      hint: hintFor(written),
    });
  }
  const { max } = limits['engine.path_segments'];
  if (steps.length > max) {
    const message = `A path has at most ${max} steps; this one has ${steps.length}.`;
    return report(context, 'path.syntax', message, {
      limit: 'engine.path_segments',
      max,
      actual: steps.length,
    });
  }
  const [first] = steps;
  return { segments: steps, name: isQuoted || typeof first !== 'string' ? undefined : first };
};

/**
 * Reads a path. A bare path starts at a name bound by `as`, else at the root of the data, and so does one that starts
 * with a quoted key, whatever is bound; `this` is the item of the innermost loop and `../../` leads one loop out.
 * Inside a `#with` the names that it gives are the data.
 *
 * @returns undefined when the path is wrong, which is then reported
 */
export const parsePath = (written: string, context: ParseContext): ParsedPath | undefined => {
  if (isSaved(written, context)) return rootPath(written, [written]);
  const { scope } = context;
  const { up, rest } = outOf(written);
  const isOut = up > 0;
  if (isOut && up > loopsAround(scope)) {
    const message = `\`${written.slice(0, 80)}\` leads out of more \`#each\` than there are around.`;
    return report(context, 'path.scope', message);
  }
  if (rest.startsWith('@')) return loopValue(written, rest, up, context);
  const keys = readKeys(rest, written, context);
  if (keys === undefined) return undefined;
  const { segments, name } = keys;
  if (name === 'this') return itemPath(written, context, up, segments.slice(1));
  if (isOut) return itemPath(written, context, up, segments);
  const bound = name === undefined ? undefined : boundAt(scope, name);
  return bound === undefined
    ? topPath(written, segments, context)
    : itemPath(written, context, bound, segments.slice(1));
};
