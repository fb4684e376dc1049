import type { Surface } from '@stanza/engine';
import type { Exhibit } from '@stanza/gallery/exhibits';
import type { Engine } from './previous-engine.ts';

type Json = Readonly<Record<string, unknown>>;

/** A template with data, by a name that stays the same. */
export interface Case {
  /** As in `invoice, long texts`. */
  readonly name: string;
  readonly compile: (engine: Engine) => Outcome;
}

/** The result of a case: what is posted, or the places and rules of what is refused. */
export type Outcome = { readonly made: Json } | { readonly refused: readonly string[] };

/** A part of a result that two engines make differently. */
export interface Difference {
  /** As in `invoice, long texts: /blocks/2/text/text`, or `…: refused now by value.form at /0/image_url`. */
  readonly what: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** When everything is compiled. */
const now = new Date('2026-11-21T08:30:00Z');

interface Placed {
  readonly pointer: string;
  readonly rule: string;
}

/** Messages of problems may change; their places and rules are for programs. */
const refusedBy = (problems: readonly Placed[]): Outcome => ({
  refused: [...new Set(problems.map(({ pointer, rule }) => `${rule} at ${pointer}`))].sort(),
});

/** A message template for an engine to compile; `name` stays the same from commit to commit. */
export const messageCase = (
  name: string,
  {
    blocks,
    surface = 'message',
    fallbackText,
  }: { blocks: readonly unknown[]; surface?: Surface; fallbackText?: string | undefined },
  data: Json,
  options: { locale?: string | undefined; timezone?: string | undefined; strict?: boolean } = {},
): Case => ({
  name,
  compile: ({ parseTemplate, runProgram }) => {
    const parsed = parseTemplate(blocks, { surface, ...(fallbackText !== undefined && { fallbackText }) });
    if (!parsed.ok) return refusedBy(parsed.problems);
    const { locale, timezone, strict = false } = options;
    const given = { now, strict, ...(locale && { locale }), ...(timezone && { timezone }) };
    const result = runProgram(parsed.program, data, given);
    if (!result.ok) return refusedBy(result.problems);
    const { blocks: made, text, metadata } = result;
    return { made: { blocks: made, text, ...(metadata && { metadata }) } };
  },
});

/** A template or modal of the gallery with some data. */
export const exhibitCase = (exhibit: Exhibit, name: string, data: Json, strict = false): Case => {
  const named = `${exhibit.slug}, ${name}`;
  if (exhibit.kind === 'message') {
    const { blocks, fallback_text: fallbackText, locale, timezone } = exhibit.source;
    return messageCase(named, { blocks, fallbackText }, data, { locale, timezone, strict });
  }
  return {
    name: named,
    compile: ({ parseView, runView }) => {
      const parsed = parseView(exhibit.source);
      if (!parsed.ok) return refusedBy(parsed.problems);
      const result = runView(parsed.program, data, { now, strict });
      return result.ok ? { made: { ...result.view } } : refusedBy(result.problems);
    },
  };
};

const entriesOf = (value: unknown): Map<string, unknown> =>
  new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);

const isNested = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** The places at which two JSON values differ: of lists and objects of one kind, those inside. */
const differingPlaces = (before: unknown, after: unknown, place = ''): Difference[] => {
  if (Object.is(before, after)) return [];
  const isComparable = isNested(before) && isNested(after) && Array.isArray(before) === Array.isArray(after);
  if (!isComparable) return [{ what: place, before, after }];
  const [one, other] = [entriesOf(before), entriesOf(after)];
  return [...new Set([...one.keys(), ...other.keys()])].flatMap((key) =>
    differingPlaces(one.get(key), other.get(key), `${place}/${key}`),
  );
};

/** The differences of two results of one case. */
export const differencesOf = (name: string, before: Outcome, after: Outcome): Difference[] => {
  if ('made' in before && 'made' in after) {
    return differingPlaces(before.made, after.made).map((it) => ({ ...it, what: `${name}: ${it.what}` }));
  }
  const was = 'refused' in before ? before.refused : [];
  const is = 'refused' in after ? after.refused : [];
  return [
    ...was
      .filter((problem) => !is.includes(problem))
      .map((problem) => ({ what: `${name}: no longer refused by ${problem}`, before: problem, after: is })),
    ...is
      .filter((problem) => !was.includes(problem))
      .map((problem) => ({ what: `${name}: refused now by ${problem}`, before: was, after: problem })),
  ];
};

/** What two engines make differently of some cases. */
export const compareEngines = (before: Engine, after: Engine, cases: readonly Case[]): Difference[] =>
  cases.flatMap(({ name, compile }) => differencesOf(name, compile(before), compile(after)));

/** Differences that are meant, by what they have in common. */
export interface Allowed {
  /** Matches `what` of each of them. */
  readonly what: RegExp;
  /** Matches what each was before, and is now, as text or as JSON; anything unless given. */
  readonly before?: RegExp;
  readonly after?: RegExp;
  readonly reason: string;
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

const allows = ({ what, before, after }: Allowed, difference: Difference): boolean =>
  what.test(difference.what) &&
  (before === undefined || before.test(textOf(difference.before))) &&
  (after === undefined || after.test(textOf(difference.after)));

/** The differences that no entry allows, and the entries that allow none. */
export const judge = (
  differences: readonly Difference[],
  allowed: readonly Allowed[],
): { unlisted: Difference[]; stale: string[] } => ({
  unlisted: differences.filter((difference) => !allowed.some((entry) => allows(entry, difference))),
  stale: allowed
    .filter((entry) => !differences.some((difference) => allows(entry, difference)))
    .map(({ what, reason }) => `${what.source}: ${reason}`),
});
