import { getModalSource, type InputOf, type ReplyOf, validationFailed } from '@stanza/contracts';
import type { CallContext, Clock, RpcClient } from '@stanza/runtime';
import { type Inputs, madeOrThrow } from './domain/compilation.ts';
import type { MadeView } from './domain/views.ts';
import type { RunTask } from './runs/runs.ts';
import { viewTask } from './runs/tasks.ts';

type Source = ReplyOf<typeof getModalSource>;

/** The source of a modal's step. */
export interface StepSource {
  source: Source;
  view: Source['views'][number];
}

/**
 * Reads the source of a modal's step.
 * @throws CodedError `validation_failed` for a step that the modal does not have
 */
export const stepSource = async (
  rpc: RpcClient,
  context: CallContext,
  asked: InputOf<typeof getModalSource>,
  step: number,
): Promise<StepSource> => {
  const source = await rpc.call(getModalSource, asked, context);
  const view = source.views[step];
  if (view) return { source, view };
  const last = source.views.length - 1;
  throw validationFailed([
    { code: 'too_big', path: ['step'], message: `the last step of the modal is ${last}` },
  ]);
};

/** What views of modals are made with. */
export interface ModalDependencies {
  rpc: RpcClient;
  run: RunTask;
  clock: Clock;
}

/**
 * Makes the view of a step from data.
 * @throws CodedError `compilation_failed` or `invalid_data` with every problem
 */
export const makeStep = async (
  { run, clock }: Pick<ModalDependencies, 'run' | 'clock'>,
  { source, view }: StepSource,
  inputs: Inputs,
): Promise<MadeView> => {
  const mapped = { ...inputs, mapping: source.placeholder_mapping };
  return madeOrThrow(await run(viewTask, { view, inputs: mapped, now: clock.now().getTime() }));
};

/** The labels of a step's view. */
export const stepFacts = ({ source }: StepSource, step: number, { view, warnings }: MadeView) => ({
  version_id: source.version_id,
  version_number: source.version_number,
  step,
  step_count: source.views.length,
  view,
  warnings,
});
