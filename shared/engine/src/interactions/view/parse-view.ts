import { viewBlocks } from '../../blocks/blocks.ts';
import { text } from '../../grammar/text.ts';
import { isList, isObject } from '../../json.ts';
import type { LimitName } from '../../limits.ts';
import type { Part } from '../../parse/node.ts';
import { type Place, placeIn, report } from '../../parse/parse-context.ts';
import { type Program, programOf, type Refusal, refusal, startPlace } from '../../parse/parse-template.ts';

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
  readonly title: Part;
  readonly submit: Part | undefined;
  readonly close: Part | undefined;
}

/** A parsed view, or every problem of it, with pointers into the view as given: `/title`, `/blocks/0/text`. */
export type ParseViewResult = { readonly ok: true; readonly program: ViewProgram } | Refusal;

const parseLabel = (given: unknown, limit: LimitName, place: Place): Part | undefined =>
  given === undefined || given === null ? undefined : text(limit, 'plain').parse(given, place);

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
  const place = startPlace('view');
  const { title: given, submit_label: submitLabel, close_label: closeLabel } = view;
  const title = text('view.title', 'plain').parse(given, placeIn(place, 'title'));
  const submit = parseLabel(submitLabel, 'view.submit', placeIn(place, 'submit_label'));
  const close = parseLabel(closeLabel, 'view.close', placeIn(place, 'close_label'));
  const blocks = viewBlocks.parse(view.blocks, placeIn(place, 'blocks'));
  if (blocks !== undefined && askInput(view.blocks) && (submitLabel ?? '') === '') {
    report(place, 'required', 'A view with an `input` block needs a `submit_label`.');
  }
  const program = programOf(place, blocks);
  if (program === undefined || title === undefined) return refusal(place);
  return { ok: true, program: { ...program, title, submit, close } };
};
