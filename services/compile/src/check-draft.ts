import type { Block } from '@stanza/contracts';
import { fillIds } from '@stanza/engine';
import type { RunTask } from './runs/runs.ts';
import { sourceOf } from './runs/task.ts';
import { type CheckedSource, draftTask } from './runs/tasks.ts';

/** Blocks that are not yet a version. */
export interface Draft {
  blocks: Block[];
  /** Compiled with the blocks. */
  fallbackText: string | null;
  /** BCP 47. */
  locale?: string | undefined;
  /** IANA name. */
  timezone?: string | undefined;
  sampleData: Record<string, unknown>;
}

/** The result of checking a draft. */
export interface CheckedDraft extends CheckedSource {
  /** With generated ids, as they would be stored. */
  blocks: Block[];
}

/** Fills ids and compiles with the sample data, with missing values as warnings. */
export const checkDraft = async (
  draft: Draft,
  run: RunTask,
  newId: () => string,
  now: number,
): Promise<CheckedDraft> => {
  const blocks = fillIds(draft.blocks, newId);
  const source = sourceOf(blocks, draft.fallbackText);
  const { sampleData: data, locale, timezone } = draft;
  const inputs = { data, strict: false, locale, ownLocale: locale, timezone };
  return { blocks, ...(await run(draftTask, { source, inputs, now })) };
};
