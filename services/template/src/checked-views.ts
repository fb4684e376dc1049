import { type Block, checkViews, type Problem, problemsError } from '@stanza/contracts';
import type { CallContext, RpcClient } from '@stanza/runtime';
import type { ModalVersionRow, StepRow } from './domain/modal-tables.ts';
import { type Framed, problemsOfView, viewsOf } from './domain/modal-views.ts';

/** The inputs of compiling a modal's views. */
export type ViewData = Pick<ModalVersionRow, 'sample_data' | 'placeholder_mapping'>;

const check = (
  rpc: RpcClient,
  context: CallContext,
  views: ReturnType<typeof viewsOf>,
  { sample_data, placeholder_mapping }: ViewData,
) => rpc.call(checkViews, { views, sample_data: sample_data ?? {}, placeholder_mapping }, context);

const refuse = (problems: readonly Problem[]): void => {
  if (problems.length > 0) throw problemsError('compilation_failed', problems);
};

/**
 * Fills the ids of a version's blocks and compiles them as a view.
 * @throws CodedError `compilation_failed` with every problem
 */
export const checkedView = async (
  rpc: RpcClient,
  context: CallContext,
  { modal, blocks, ...data }: ViewData & { modal: Omit<Framed, 'steps'>; blocks: Block[] },
): Promise<Block[]> => {
  const { views } = await check(rpc, context, viewsOf({ ...modal, steps: null }, blocks), data);
  refuse(views.flatMap((it) => problemsOfView(it.problems)));
  return views[0]?.blocks ?? blocks;
};

/**
 * Fills the ids of a modal's steps and compiles each as a view.
 * @throws CodedError `compilation_failed` with every problem of every step
 */
export const checkedSteps = async (
  rpc: RpcClient,
  context: CallContext,
  { modal, steps, ...data }: ViewData & { modal: Omit<Framed, 'steps'>; steps: StepRow[] },
): Promise<StepRow[]> => {
  const { views } = await check(rpc, context, viewsOf({ ...modal, steps }, []), data);
  refuse(views.flatMap((it, step) => problemsOfView(it.problems, step)));
  return steps.map((step, at) => ({ ...step, blocks: views[at]?.blocks ?? step.blocks }));
};
