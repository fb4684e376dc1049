import { messageBlocks, viewBlocks } from '../blocks/blocks.ts';
import { isKnownType } from '../blocks/catalogue.ts';
import { text } from '../grammar/text.ts';
import { languagesFor, ownLanguage, type Wanted } from '../languages/languages.ts';
import type { Texts } from '../languages/texts.ts';
import type { Node } from '../parse/node.ts';
import type { ParseContext, Parsing, PartialEntry, Read, Surface } from '../parse/parse-context.ts';
import { CappedList, fallbackPointer, listProblems, type Problem } from '../run/problem.ts';
import type { Warning } from '../run/run.ts';
import { textsIn } from '../translations/parse-translations.ts';
import { mayRepeatIds } from './unique-ids.ts';

/** Options of a parse. */
export interface ParseOptions {
  readonly surface: Surface;
  /** The notification's text in mrkdwn, with placeholders; without it the text is made from the blocks. */
  readonly fallbackText?: string;
  /** See {@link Parsing.saved}. */
  readonly saved?: ReadonlySet<string>;
  /** Interactions name modals and destinations by key, as files do that are the same for every environment. */
  readonly namesByKey?: boolean;
  /** The language of the template, in which texts in languages are read unless a run says another. */
  readonly ownLocale?: string | undefined;
}

/**
 * A parsed template: immutable, and good for any number of runs at once.
 *
 * Its nodes are the engine's own; callers hand it on.
 */
export interface Program {
  readonly surface: Surface;
  readonly blocks: Node;
  readonly fallbackText: Node | undefined;
  readonly reads: readonly Read[];
  readonly partials: readonly PartialEntry[];
  /** What the template itself gives its author to know; each run lists it first. */
  readonly warnings: readonly Warning[];
  /** Number of such warnings beyond those that are kept. */
  readonly moreWarnings: number;
  /** Ids may meet in the output, so that each run must make them unique. */
  readonly mayRepeatIds: boolean;
  /** The texts in languages, of the template and of each partial in it; most have none. */
  readonly texts: readonly Texts[];
  /** The program in the language of a run, where there are texts in languages. */
  readonly inLanguage?: (wanted: Wanted) => ParseResult;
}

/** Every problem of a template. */
export interface Refusal {
  readonly ok: false;
  readonly problems: Problem[];
  /** The readings of the valid blocks. */
  readonly reads: readonly Read[];
  readonly partials: readonly PartialEntry[];
  readonly texts: readonly Texts[];
}

/** A parsed template, or every problem of it. */
export type ParseResult = { readonly ok: true; readonly program: Program } | Refusal;

const fallback = text('message.text', 'mrkdwn', { mayBeEmpty: true });

/** The context at the start of a template. */
export const startContext = (
  surface: Surface,
  { saved, namesByKey = false }: Pick<ParseOptions, 'saved' | 'namesByKey'> = {},
  language: Wanted = {},
  knownTexts: readonly Texts[] = [],
): ParseContext => {
  const parsing: Parsing = {
    surface,
    problems: new CappedList(),
    warnings: new CappedList(),
    reads: [],
    partials: [],
    language,
    texts: [],
    knownTexts,
    parseMessageBlocks: messageBlocks.parse,
    isKnownType,
    ...(saved && { saved }),
    namesByKey,
    spent: { placeholders: 0 },
    ids: { block: [], action: [], looped: [], made: false },
  };
  return {
    pointer: '',
    parsing,
    scope: undefined,
    names: undefined,
    texts: undefined,
    depth: 0,
    guarded: false,
    guards: undefined,
    pinned: false,
  };
};

/** The program of blocks that are parsed; undefined where the parse found problems. */
export const programOf = (
  { parsing }: ParseContext,
  blocks: Node | undefined,
  fallbackText?: Node,
): Program | undefined => {
  if (blocks === undefined || parsing.problems.count > 0) return undefined;
  const { reads, partials, texts, ids, surface, warnings } = parsing;
  return {
    surface,
    blocks,
    fallbackText,
    reads,
    partials,
    texts,
    warnings: warnings.kept,
    moreWarnings: warnings.count - warnings.kept.length,
    mayRepeatIds: mayRepeatIds(ids),
  };
};

/** The result of a parse with problems. */
export const refusal = ({ parsing }: ParseContext): Refusal => ({
  ok: false,
  problems: listProblems(parsing.problems),
  reads: parsing.reads,
  partials: parsing.partials,
  texts: parsing.texts,
});

/** Parses the blocks of a template with the texts of one language; a parse in another may have found them. */
export const parseIn = (
  blocks: readonly unknown[],
  options: ParseOptions,
  language: Wanted,
  knownTexts: readonly Texts[] = [],
): ParseResult => {
  const { surface, fallbackText } = options;
  const start = startContext(surface, options, language, knownTexts);
  const context = { ...start, texts: textsIn(blocks, start) };
  const list = surface === 'message' ? messageBlocks : viewBlocks;
  const parsed = list.parse(blocks, context);
  const said =
    fallbackText === undefined
      ? undefined
      : fallback.parse(fallbackText, { ...context, pointer: fallbackPointer });
  const program = programOf(context, parsed, said);
  return program === undefined ? refusal(context) : { ok: true, program };
};

/** The languages of the texts of a template and of its partials. */
export const languagesOf = ({ texts }: Pick<Program, 'texts'>): string[] => [
  ...new Set(texts.flatMap(({ languages }) => languages)),
];

/** The programs of the other languages, each parsed when a run first asks for it. */
const programs = (
  blocks: readonly unknown[],
  options: ParseOptions,
  first: Program,
): Program['inLanguage'] => {
  const languages = languagesOf(first);
  const nameOf = (wanted: Wanted) =>
    `${languagesFor(languages, wanted).join(' ')}, ${ownLanguage(languages, wanted.own)}`;
  const known = new Map<string, ParseResult>([
    [nameOf({ own: options.ownLocale }), { ok: true, program: first }],
  ]);
  return (wanted) => {
    const name = nameOf(wanted);
    let parsed = known.get(name);
    if (parsed === undefined) {
      parsed = parseIn(blocks, options, wanted, first.texts);
      known.set(name, parsed);
    }
    return parsed;
  };
};

/**
 * Parses the blocks of a template to a program.
 *
 * Nothing is evaluated as code, no input makes it throw, and all problems are reported at once.
 */
export const parseTemplate = (blocks: readonly unknown[], options: ParseOptions): ParseResult => {
  const parsed = parseIn(blocks, options, { own: options.ownLocale });
  if (!parsed.ok || parsed.program.texts.length === 0) return parsed;
  const { program } = parsed;
  return { ok: true, program: { ...program, inLanguage: programs(blocks, options, program) } };
};
