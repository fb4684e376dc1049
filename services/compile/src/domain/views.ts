import type { ModalView, ModalViewSource } from '@stanza/contracts';
import { mapData, type PlaceholderMapping, parseView, runView } from '@stanza/engine';
import type { Inputs, Refused } from './compilation.ts';

/** The inputs of a view besides its source. */
export interface ViewInputs extends Inputs {
  mapping: PlaceholderMapping | null;
}

/** A view in the chat platform's form, and its warnings. */
export interface MadeView {
  ok: true;
  view: ModalView;
  warnings: string[];
  fieldsTruncated: number;
  mentions?: readonly string[] | undefined;
}

/**
 * Makes a view from data.
 * @throws PartSpent where the part of the engine's limits is not enough
 */
export const makeView = (
  source: ModalViewSource,
  inputs: ViewInputs,
  now: Date,
  part?: number,
): MadeView | Refused => {
  const parsed = parseView(source);
  if (!parsed.ok) return { ok: false, code: 'compilation_failed', problems: [...parsed.problems] };
  const { data, mapping, strict, locale, timezone, people } = inputs;
  return runView(parsed.program, mapData(data, mapping), { strict, locale, timezone, people, now, part });
};
