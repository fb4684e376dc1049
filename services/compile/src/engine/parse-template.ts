import { messageBlocks, viewBlocks } from './catalogue/blocks.ts';
import type { Part } from './part.ts';
import type { Parsing, Place, Read, Surface } from './place.ts';
import { CappedList, fallbackPointer, listProblems, type Problem } from './problem.ts';
import { text } from './spec/text.ts';
import { mayRepeatIds } from './unique-ids.ts';

/** What a template is parsed for. */
export interface ParseOptions {
  readonly surface: Surface;
  /** The notification's text in mrkdwn, with placeholders; without it the text is made from the blocks. */
  readonly fallbackText?: string;
}

/**
 * A parsed template: immutable, and good for any number of runs at once.
 *
 * Its parts are the engine's own; callers hand it on.
 */
export interface Program {
  readonly surface: Surface;
  readonly blocks: Part;
  readonly fallbackText: Part | undefined;
  readonly reads: readonly Read[];
  /** Ids may meet in the output, so that each run must make them unique. */
  readonly mayRepeatIds: boolean;
}

/** A parsed template, or every problem of it. */
export type ParseResult =
  | { readonly ok: true; readonly program: Program }
  | { readonly ok: false; readonly problems: Problem[] };

const fallback = text('message.text', 'mrkdwn', { mayBeEmpty: true });

/**
 * Parses the blocks of a template to a program.
 *
 * Nothing is evaluated as code, no input makes it throw, and all problems are reported at once.
 */
export const parseTemplate = (blocks: readonly unknown[], options: ParseOptions): ParseResult => {
  const parsing: Parsing = {
    surface: options.surface,
    problems: new CappedList(),
    reads: [],
    messageBlocks,
    spent: { placeholders: 0 },
    ids: { block: [], action: [], looped: [], made: false },
  };
  const place: Place = { pointer: '', parsing, scope: undefined, depth: 0, guarded: false, pinned: false };
  const list = options.surface === 'message' ? messageBlocks : viewBlocks;
  const parsed = list.parse(blocks, place);
  const fallbackText =
    options.fallbackText === undefined
      ? undefined
      : fallback.parse(options.fallbackText, { ...place, pointer: fallbackPointer });
  if (parsed === undefined || parsing.problems.count > 0) {
    return { ok: false, problems: listProblems(parsing.problems) };
  }
  const { reads, ids, surface } = parsing;
  return {
    ok: true,
    program: { surface, blocks: parsed, fallbackText, reads, mayRepeatIds: mayRepeatIds(ids) },
  };
};
