import {
  type Block,
  type ModalView,
  type ModalViewSource,
  type Problem,
  problemsError,
} from '@stanza/contracts';
import { fillIds, parseView, runView } from '@stanza/engine';
import type { Inputs } from './compilation.ts';
import { mapData, type PlaceholderMapping } from './placeholder-mapping.ts';

/** The inputs of a view besides its source. */
export interface ViewInputs extends Inputs {
  mapping: PlaceholderMapping | null;
}

/** A view in the chat platform's form, and its warnings. */
export interface MadeView {
  view: ModalView;
  warnings: string[];
  fieldsTruncated: number;
}

const makeView = (source: ModalViewSource, inputs: ViewInputs, now: Date) => {
  const parsed = parseView(source);
  if (!parsed.ok)
    return { ok: false as const, code: 'compilation_failed' as const, problems: parsed.problems };
  const { data, mapping, strict, locale, timezone } = inputs;
  return runView(parsed.program, mapData(data, mapping), { strict, locale, timezone, now });
};

/**
 * Makes a view from data.
 * @throws CodedError `compilation_failed` or `invalid_data` with every problem
 */
export const viewOrThrow = (source: ModalViewSource, inputs: ViewInputs, now: Date): MadeView => {
  const result = makeView(source, inputs, now);
  if (!result.ok) throw problemsError(result.code, result.problems);
  return result;
};

/** A view that is not yet saved: its blocks with generated ids, and its problems. */
export interface CheckedView {
  blocks: Block[];
  problems: Problem[];
}

/** Fills the ids of a view and compiles it with its sample data, ignoring missing values. */
export const checkView = (
  source: ModalViewSource,
  inputs: ViewInputs,
  { newId, now }: { newId: () => string; now: Date },
): CheckedView => {
  const blocks = fillIds(source.blocks, newId);
  const result = makeView({ ...source, blocks }, { ...inputs, strict: false }, now);
  return { blocks, problems: result.ok ? [] : [...result.problems] };
};
