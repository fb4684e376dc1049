import type { Block, ModalViewSource, Problem } from '@stanza/contracts';
import { fillIds } from '@stanza/engine';
import type { ViewInputs } from './domain/views.ts';
import type { RunTask } from './runs/runs.ts';
import { viewTask } from './runs/tasks.ts';

/** A view that is not yet saved: its blocks with generated ids, and its problems. */
export interface CheckedView {
  blocks: Block[];
  problems: Problem[];
}

/** Fills the ids of a view and compiles it with its sample data, ignoring missing values. */
export const checkView = async (
  source: ModalViewSource,
  inputs: ViewInputs,
  { run, newId, now }: { run: RunTask; newId: () => string; now: number },
): Promise<CheckedView> => {
  const blocks = fillIds(source.blocks, newId);
  const view = { ...source, blocks };
  const result = await run(viewTask, { view, inputs: { ...inputs, strict: false }, now });
  return { blocks, problems: result.ok ? [] : result.problems };
};
