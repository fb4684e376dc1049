import { viewBlocks } from '../blocks/blocks.ts';
import { text } from '../grammar/text.ts';
import { isList, isObject } from '../json.ts';
import type { LimitName } from '../limits.ts';
import type { Node } from '../parse/node.ts';
import { contextIn, type ParseContext, report } from '../parse/parse-context.ts';
import { type Program, programOf, type Refusal, refusal, startContext } from './parse-template.ts';

/** A modal view of a template, under the names of the API. */
export interface ViewSource {
  /** Placeholders may stand in it, and in the labels. */
  readonly title: string;
  /** Null or left out: the view has none. */
  readonly submit_label?: string | null | undefined;
  readonly close_label?: string | null | undefined;
  readonly blocks: readonly unknown[];
}

/** A parsed view, good for any number of runs. */
export interface ViewProgram extends Program {
  readonly title: Node;
  readonly submit: Node | undefined;
  readonly close: Node | undefined;
}

/** A parsed view, or every problem of it, with pointers into the view as given: `/title`, `/blocks/0/text`. */
export type ParseViewResult = { readonly ok: true; readonly program: ViewProgram } | Refusal;

const parseLabel = (given: unknown, limit: LimitName, context: ParseContext): Node | undefined =>
  given === undefined || given === null ? undefined : text(limit, 'plain').parse(given, context);

const listKeys = ['children', 'else', 'empty', 'child_blocks'];

/** Whether blocks ask for input, also inside directives and containers. The blocks are sound, so they nest a few levels. */
const askInput = (blocks: unknown): boolean =>
  isList(blocks) &&
  blocks.some(
    (block) => isObject(block) && (block.type === 'input' || listKeys.some((key) => askInput(block[key]))),
  );

/**
 * Parses a modal view. Nothing is evaluated as code, no input makes it throw, and all problems are reported at once.
 */
export const parseView = (view: ViewSource): ParseViewResult => {
  const context = startContext('view');
  const { title: given, submit_label: submitLabel, close_label: closeLabel } = view;
  const title = text('view.title', 'plain').parse(given, contextIn(context, 'title'));
  const submit = parseLabel(submitLabel, 'view.submit', contextIn(context, 'submit_label'));
  const close = parseLabel(closeLabel, 'view.close', contextIn(context, 'close_label'));
  const blocks = viewBlocks.parse(view.blocks, contextIn(context, 'blocks'));
  if (blocks !== undefined && askInput(view.blocks) && (submitLabel ?? '') === '') {
    report(context, 'required', 'A view with an `input` block needs a `submit_label`.');
  }
  const program = programOf(context, blocks);
  if (program === undefined || title === undefined) return refusal(context);
  return { ok: true, program: { ...program, title, submit, close } };
};
