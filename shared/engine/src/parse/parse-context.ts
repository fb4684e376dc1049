import { jsonTypeOf, pointerStep } from '../json.ts';
import type { Wanted } from '../languages/languages.ts';
import type { Texts } from '../languages/texts.ts';
import { type Limit, type LimitName, limitOf } from '../limits.ts';
import type { ReadStep } from '../run/path-text.ts';
import type { CappedList, Problem, ProblemRule } from '../run/problem.ts';
import { type Warning, warningAt } from '../run/run.ts';
import type { Node } from './node.ts';
import type { ParsedPath } from './parsed-path.ts';

/** The surface of a template. */
export type Surface = 'message' | 'view';

/** An `#if` around a value. */
export interface Guard {
  /** The condition as the template writes it; it was found to be sound. */
  readonly condition: unknown;
  /** The loops around the `#if`. */
  readonly scope: Scope | undefined;
  /** The names of the `#with` around the `#if`. */
  readonly names: Names | undefined;
  /** False in its `else`. */
  readonly holds: boolean;
  readonly parent: Guard | undefined;
}

/** One reading of the data by a template. */
export interface Read {
  /** Steps from the root of the data. */
  readonly steps: readonly ReadStep[];
  readonly pointer: string;
  /**
   * The use of the value; `list` is that of a loop, `keys` that of `@key` in one, `choices` that of a condition that looks
   * for another value in it, `json` that of what keeps its JSON type.
   */
  readonly use: 'text' | 'value' | 'list' | 'condition' | 'choices' | 'keys' | 'json';
  /** Read without a `default` and outside any `#if`: its absence is always noticed. */
  readonly required: boolean;
  /** Its absence leaves a trace when the run gets there: there is no `default`, and it is no condition. */
  readonly noticed: boolean;
  /** Names of the filters that the value goes through. */
  readonly filters: readonly string[];
  readonly scope: Scope | undefined;
  readonly names: Names | undefined;
  readonly guards: Guard | undefined;
}

/** A loop around a value of the template. */
export interface Scope {
  /** The name that the item is bound to by `as`. */
  readonly name: string | undefined;
  /** Steps from the root of the data to an item; undefined for a value that is not from the data. */
  readonly steps: readonly ReadStep[] | undefined;
  readonly parent: Scope | undefined;
}

/** The entry that a version of a partial stands in. */
export interface PartialEntry {
  /** Pointer to the entry; the blocks of the partial are its `children`. */
  readonly pointer: string;
  /** The key of the partial, and the number of its version. */
  readonly key: string;
  readonly version: number;
}

/** The names that a `#with` gives: its children read nothing else, and no loop around it. */
export interface Names {
  /** What each name stands for, seen from the `#with`; undefined where that is wrong, which is then reported. */
  readonly given: ReadonlyMap<string, ParsedPath | undefined>;
  /** The children are those of a partial: they read a name that is not given as a missing value. */
  readonly isPartial: boolean;
  /** The loops and the names around the `#with`. */
  readonly scope: Scope | undefined;
  readonly parent: Names | undefined;
}

/** Called for every path that is read inside an interaction, before anything is known of its data. */
export interface Tap {
  /** The loops around the interaction, the names of the `#with` around it, and the `#if`s. */
  readonly scope: Scope | undefined;
  readonly names: Names | undefined;
  readonly guards: Guard | undefined;
  /**
   * `inner` is the number of loops of the interaction itself around the path, and `place` the pointer to what reads it;
   * undefined where the value may be missing.
   */
  readonly note: (path: ParsedPath, inner: number, place: string | undefined) => void;
}

/** The results of a parse besides the program. */
export interface Parsing {
  readonly surface: Surface;
  readonly problems: CappedList<Problem>;
  /** What the template itself gives its author to know; every run lists it. */
  readonly warnings: CappedList<Warning>;
  readonly reads: Read[];
  /** The partials in the template, outer ones first. */
  readonly partials: PartialEntry[];
  /** The language whose texts are read, and those that blocks bring: of the template and of each partial in it. */
  readonly language: Wanted;
  readonly texts: Texts[];
  /** Those that a parse of the same blocks in another language found: only the language of a reading differs. */
  readonly knownTexts: readonly Texts[];
  /** Parses the blocks of a message; interactions have blocks of their own. */
  readonly parseMessageBlocks: (value: unknown, context: ParseContext) => Node | undefined;
  /** Whether a `type` is one of the catalogue, wherever it may stand; the tables contain each other, as above. */
  readonly isKnownType: (type: string) => boolean;
  readonly tap?: Tap;
  /**
   * Set where the blocks are those of an interaction that is being used: paths that the message kept a value
   * for are read from the top of the data, as they are written.
   */
  readonly saved?: ReadonlySet<string>;
  /** Interactions name modals and destinations by key. */
  readonly namesByKey: boolean;
  /** Counts over the whole template, interactions included. */
  readonly spent: { placeholders: number };
  /** Ids of the template that a run emits as they are, those that a loop repeats, and whether data makes any. */
  readonly ids: { block: string[]; action: string[]; looped: string[]; made: boolean };
}

/** The position of the parse: the current value and the directives around it. */
export interface ParseContext {
  readonly pointer: string;
  readonly parsing: Parsing;
  /** The loops around, inside the innermost `#with`. */
  readonly scope: Scope | undefined;
  /** The names of the innermost `#with`. */
  readonly names: Names | undefined;
  /** The texts that are read here by `{{@t.key}}`. */
  readonly texts: Texts | undefined;
  /** Directives around. */
  readonly depth: number;
  /** Inside an `#if`, where a missing value may never be noticed. */
  readonly guarded: boolean;
  /** The `#if`s around, the innermost first. */
  readonly guards: Guard | undefined;
  /** The value here was built by the engine from one property, which all pointers must name. */
  readonly pinned: boolean;
}

/** The context of a key or an item. */
export const contextIn = (context: ParseContext, key: string | number): ParseContext =>
  context.pinned
    ? context
    : {
        pointer: context.pointer + pointerStep(key),
        parsing: context.parsing,
        scope: context.scope,
        names: context.names,
        texts: context.texts,
        depth: context.depth,
        guarded: context.guarded,
        guards: context.guards,
        pinned: false,
      };

/** Whether the value in hand may be made several times by one run. */
export const isInLoop = ({ scope, names }: Pick<ParseContext, 'scope' | 'names'>): boolean =>
  scope !== undefined || (names !== undefined && isInLoop({ scope: names.scope, names: names.parent }));

/** Reports a problem at the value in hand. */
export const report = (
  context: ParseContext,
  rule: ProblemRule,
  message: string,
  more: Partial<Problem> = {},
): undefined => {
  context.parsing.problems.add({ pointer: context.pointer, rule, message, ...more });
  return undefined;
};

/** Notes a warning at the value in hand, which every run of the template lists. */
export const warnOfTemplate = (
  context: ParseContext,
  rule: Warning['rule'],
  story: string,
  more: Pick<Warning, 'reference'> = {},
): void => {
  context.parsing.warnings.add({ ...warningAt(rule, context.pointer, story), ...more });
};

/** Reports a value of the wrong JSON type. */
export const reportType = (context: ParseContext, wanted: string, value: unknown, hint?: string): undefined =>
  report(
    context,
    'value.type',
    `Expected ${wanted}, found ${jsonTypeOf(value)}.`,
    hint === undefined ? {} : { hint },
  );

/** The way out of a limit that is passed, by what it counts. */
const waysOut: Partial<Record<Limit['unit'], string>> = {
  characters: 'A machine reads it, so it is not cut: make it shorter.',
  items:
    'Show fewer of them: `max_items` of a loop or a `source`, a filter of the data, or a second message.',
  bytes: 'Send less: shorter texts, fewer blocks, or fewer values that interactions read.',
  levels: 'Nest less deep.',
};

const fewerRows =
  'Show fewer of them: `max_rows` of a `source`, `max_items` of a loop, a filter of the data, or a second message.';

/** What has another way out than fewer items, or a key of its own for them. */
const waysOutOf: Partial<Record<LimitName, string>> = {
  'table.rows': fewerRows,
  'data_table.rows': fewerRows,
  'view.blocks':
    'Show fewer of them: `max_items` of a loop or a `source`, a filter of the data, or a further step of the modal.',
  'view.focus_on_load': 'Let one element alone have it.',
  'translations.languages': 'Leave some out.',
  'translations.keys': 'Leave out what no block reads, or put blocks into a partial with texts of its own.',
  'translations.text': 'Make it shorter.',
};

const units = (count: number, { unit }: Limit): string =>
  `${count} ${count === 1 ? unit.slice(0, -1) : unit}`;

const otherFigure = ({ disputed }: Limit): string =>
  disputed === undefined
    ? ''
    : ` Sources disagree about this figure: it is ${disputed.max} by ${disputed.source}; the smaller is held, since it is safe.`;

/** The fields of a problem about a limit that is passed, for templates and for data alike. */
export const overLimit = (pointer: string, name: LimitName, actual: number): Problem => {
  const limit = limitOf(name);
  const { max, unit, over } = limit;
  const wayOut =
    name.endsWith('text_total') || over === 'warned' ? undefined : (waysOutOf[name] ?? waysOut[unit]);
  const figure = `At most ${units(max, limit)} ${max === 1 ? 'fits' : 'fit'} here (limit \`${name}\`), but there are ${actual}.`;
  return {
    pointer,
    rule: 'limit.max',
    message: `${figure}${wayOut === undefined ? '' : ` ${wayOut}`}${otherFigure(limit)}`,
    limit: name,
    max,
    actual,
  };
};

/** The fields of a problem about too few of something. */
export const underLimit = (pointer: string, name: LimitName, actual: number): Problem => {
  const limit = limitOf(name);
  const { min = 0 } = limit;
  const verb = min === 1 ? 'is' : 'are';
  return {
    pointer,
    rule: 'limit.min',
    message: `At least ${units(min, limit)} ${verb} needed here (limit \`${name}\`), but there ${actual === 1 ? 'is' : 'are'} ${actual}.`,
    limit: name,
    actual,
  };
};
