import { limits } from '../../limits.ts';
import { type ParseContext, report, type Scope } from '../../parse/parse-context.ts';
import type { ParsedPath } from '../../parse/parsed-path.ts';
import type { Origin, Segment } from '../../run/frame.ts';

const shape = /^(?:[\p{L}\p{N}_$][\p{L}\p{N}_$-]*)(?:\.[\p{L}\p{N}_$-]+|\[\d{1,9}\])*$/u;
/** Most paths have names alone. */
const plain = /^[a-z_$][\w$-]*(?:\.[\w$-]+)*$/i;
const steps = /[\p{L}\p{N}_$-]+|\[\d{1,9}\]/gu;
const loopValues: Record<string, Exclude<Origin, 'root' | 'item'>> = {
  '@index': 'index',
  '@number': 'number',
  '@first': 'first',
  '@last': 'last',
  '@count': 'count',
};

const splitPath = (path: string): Segment[] => (plain.test(path) ? path.split('.') : splitIndexed(path));

const splitIndexed = (path: string): Segment[] =>
  [...path.matchAll(steps)].map(([step]) => (step.startsWith('[') ? Number(step.slice(1, -1)) : step));

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

const itemPath = (
  written: string,
  scope: Scope | undefined,
  up: number,
  segments: readonly Segment[],
): ParsedPath => {
  const at = scopeAt(scope, up);
  if (at === undefined) return rootPath(written, segments);
  return {
    reference: { origin: 'item', up, segments, written },
    steps: at.steps === undefined ? undefined : [...at.steps, ...segments],
  };
};

/** Number of loops between the name and its binding; undefined when it is unbound. */
const boundAt = (scope: Scope | undefined, name: Segment | undefined): number | undefined => {
  let up = 0;
  for (let at = scope; at !== undefined; at = at.parent) {
    if (at.name !== undefined && at.name === name) return up;
    up += 1;
  }
  return undefined;
};

const loopValue = (
  written: string,
  name: string,
  up: number,
  context: ParseContext,
): ParsedPath | undefined => {
  const origin = Object.hasOwn(loopValues, name) ? loopValues[name] : undefined;
  if (origin === undefined) {
    const known = Object.keys(loopValues).join(', ');
    return report(context, 'path.syntax', `\`${written}\` is no value of a loop; there are ${known}.`);
  }
  if (scopeAt(context.scope, up) === undefined) {
    return report(context, 'path.scope', `\`${written}\` has a value inside an \`#each\` alone.`);
  }
  return { reference: { origin, up, segments: [], written }, steps: undefined };
};

/** Steps out of the loops with `../../`: the enclosing loop's item, or the data itself around the outermost. */
const outerPath = (
  written: string,
  up: number,
  rest: string,
  context: ParseContext,
): ParsedPath | undefined => {
  if (up > loopsAround(context.scope)) {
    return report(context, 'path.scope', `\`${written}\` leads out of more \`#each\` than there are around.`);
  }
  if (rest.startsWith('@')) return loopValue(written, rest, up, context);
  const segments = splitPath(rest);
  return itemPath(written, context.scope, up, segments[0] === 'this' ? segments.slice(1) : segments);
};

/**
 * Whether a path leads out of the loops of an interaction, to the values that its message kept. A value of a loop
 * around the element has no other source, so it is looked up there even if none was kept.
 */
const isSaved = (written: string, { parsing: { saved }, scope }: ParseContext): boolean => {
  if (saved === undefined) return false;
  const outward = written === '..' ? 1 : (/^(?:\.\.\/)*/.exec(written)?.[0].length ?? 0) / 3;
  const isOfLoop = outward > 0 || /^(?:this(?![\w$-])|@)/.test(written);
  if (isOfLoop) return scopeAt(scope, outward) === undefined;
  const [name = ''] = written.split(/[.[]/);
  return saved.has(written) && boundAt(scope, name) === undefined;
};

/**
 * Reads a path. A bare path starts at a name bound by `as`, else at the root of the data; `this` is the item of the
 * innermost loop and `../../` leads one loop out.
 *
 * @returns undefined when the path is wrong, which is then reported
 */
export const parsePath = (written: string, context: ParseContext): ParsedPath | undefined => {
  if (isSaved(written, context)) return rootPath(written, [written]);
  const outward = /^(?:\.\.\/)*/.exec(written)?.[0].length ?? 0;
  const up = outward / 3;
  const rest = written === '..' ? 'this' : written.slice(outward) || 'this';
  if (rest.startsWith('@')) return loopValue(written, rest, up, context);
  if (!plain.test(rest) && !shape.test(rest)) {
    return report(context, 'path.syntax', `\`${written.slice(0, 80)}\` is no path.`, {
      hint: 'Paths look like `order.total`, `items[0].name`, `this.name` or `../name`.',
    });
  }
  const segments = splitPath(rest);
  const most = limits['engine.path_segments'].max;
  if (segments.length > most) {
    return report(
      context,
      'path.syntax',
      `A path has at most ${most} steps; this one has ${segments.length}.`,
      {
        limit: 'engine.path_segments',
        max: most,
        actual: segments.length,
      },
    );
  }
  if (outward > 0 || written === '..') return outerPath(written, written === '..' ? 1 : up, rest, context);
  if (segments[0] === 'this') return itemPath(written, context.scope, 0, segments.slice(1));
  const bound = boundAt(context.scope, segments[0]);
  if (bound !== undefined) return itemPath(written, context.scope, bound, segments.slice(1));
  return rootPath(written, segments);
};
