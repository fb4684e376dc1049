import { withoutGeneratedIds } from '../generated-ids.ts';
import type { ResultWithWarnings, RunResult } from '../program/run-program.ts';
import type { Problem } from '../run/problem.ts';
import type { Warning } from '../run/run.ts';

/** What a version makes of data, from harmless to broken. */
export const effects = ['same', 'changed', 'warning', 'breaks'] as const;

/**
 * `breaks`: the engine refuses the data, or leaves nothing to send. `warning`: the preview of the data has a warning,
 * such as a missing value or a text that is cut, or an entry is left out of a digest, also where the previous version has it. Otherwise the message is the
 * `same` as that of the previous version, or it has `changed`.
 */
export type Effect = (typeof effects)[number];

/** What became of data, and why. */
export interface DataEffect {
  effect: Effect;
  /** The first problems or warnings; those about missing values before others. */
  problems: { pointer: string; rule: Problem['rule'] | Warning['rule']; message: string }[];
  /** How many there are. */
  count: number;
}

/** Problems listed for one piece of data at most. */
const toldProblems = 5;

const told = (
  effect: Effect,
  problems: Readonly<DataEffect['problems']>,
  count = problems.length,
): DataEffect => ({
  effect,
  problems: problems.slice(0, toldProblems).map(({ pointer, rule, message }) => ({ pointer, rule, message })),
  count,
});

const nothingLeft = {
  pointer: '',
  rule: 'required' as const,
  message: 'Every block comes out empty, so that there is nothing to send.',
};

/** Ids are filled in again in each version; keys of JSON have one order. */
const shown = ({ blocks, text, metadata }: Extract<RunResult, { ok: true }>): string =>
  JSON.stringify(withoutGeneratedIds([blocks.map(withoutBlockId), text, metadata?.event_type]));

const generatedBlockId = /^blk_[0-9a-f-]{36}(_\d+)*$/;

const withoutBlockId = ({ block_id, ...block }: { block_id?: unknown; type: string }) =>
  typeof block_id === 'string' && generatedBlockId.test(block_id) ? block : { ...block, block_id };

/**
 * What a version makes of data.
 * @param result of the version
 * @param before makes the message of the version that is live now; undefined where there is none
 */
export const effectOf = (result: ResultWithWarnings, before: (() => RunResult) | undefined): DataEffect => {
  if (!result.ok) return told('breaks', result.problems);
  if (result.blocks.length === 0) return told('breaks', [nothingLeft]);
  const { count, first } = result.warningList;
  if (count > 0) return told('warning', first.toSorted(missingFirst), count);
  const was = before?.();
  const isSame = was?.ok === true && shown(was) === shown(result);
  return told(isSame ? 'same' : 'changed', []);
};

/** A missing value can be mended in the data or by a default, so it is named before what only looks different. */
const missingFirst = (one: Warning, other: Warning): number =>
  Number(other.rule === 'value.missing') - Number(one.rule === 'value.missing');
