import { resolve } from 'node:path';
import type { Command } from 'commander';
import { fileText } from '../files/canonical.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import { makePlan } from '../plan/make-plan.ts';
import { allPlanned, breaksOf, type Plan, type PlanOptions } from '../plan/plan.ts';
import { readSituation } from '../plan/situation.ts';
import { exitCodes } from '../problem.ts';
import { refIn } from '../resources/wanted.ts';
import type { Setting } from '../setting.ts';
import { planMarkdown } from '../show/plan-markdown.ts';
import { planText } from '../show/plan-text.ts';
import type { AddCommand } from './command.ts';

/** What a plan or a push is asked for. */
export interface Wishes {
  activate: boolean;
  archive: boolean;
  delete: boolean;
  secrets: boolean;
  acceptBreaks: boolean;
  mine: string[];
  theirs: string[];
}

interface Options extends Wishes {
  markdown: boolean;
  strict: boolean;
  out?: string;
}

/** What a plan is asked for, by the words of the command. */
export const wishesOf = (options: Wishes): Omit<PlanOptions, 'needsImpact'> => ({
  activates: options.activate,
  archives: options.archive,
  deletes: options.delete,
  resends: options.secrets,
  mine: options.mine.map(refIn),
  theirs: options.theirs.map(refIn),
});

/** The options that `plan` and `push` share. */
export const addWishes = (command: Command): Command =>
  command
    .argument('[keys...]', 'templates by key, others as queues/<key>; all where none is named')
    .option('--activate', 'also make the newest versions live', false)
    .option('--archive', 'also archive templates and partials that have no files any more', false)
    .option(
      '--delete',
      'also delete other resources, and cancel schedules, that have no file any more',
      false,
    )
    .option('--secrets', 'also send secrets again, which cannot be compared', false)
    .option('--accept-breaks', 'stored data that breaks is no conflict', false)
    .option('--mine <keys...>', 'the files win where both sides have changed', [])
    .option('--theirs <keys...>', 'the API wins where both sides have changed', []);

const showPlan = async (setting: Setting, keys: string[], options: Options): Promise<void> => {
  const { markdown, out: file } = options;
  const situation = await readSituation(setting, keys);
  const wishes = { ...wishesOf(options), needsImpact: true };
  const plan = await setting.long('comparing', () => makePlan(situation, wishes));
  if (file !== undefined) {
    await writeAtomically(resolve(setting.terminal.folder, file), fileText(plan));
    setting.terminal.note(`wrote ${file}`);
  }
  if (markdown && !setting.options.json) setting.terminal.out(planMarkdown(plan));
  else setting.show(plan, () => planText(plan, setting.style));
  const code = planExitCode(plan, options);
  if (code === 0 && isDrifted(plan))
    setting.terminal.note('a push leaves alone what differs here; --strict makes that an error');
  setting.end(code);
};

/** `stanza plan`. */
export const addPlan: AddCommand = (program, setting) =>
  addWishes(
    program
      .command('plan')
      .description(
        'show what a push would do; exits with 0 nothing, 2 changes, 3 conflict, 4 drift with --strict, 1 failure',
      ),
  )
    .option('--strict', 'what differs and a push leaves alone is an error', false)
    .option('--markdown', 'as a comment on a pull request', false)
    .option('--out <file>', 'write the plan to a file, for `push --plan`')
    .action((keys: string[], options: Options) => showPlan(setting(), keys, options));

/** Whether files and API differ in what a push leaves alone. */
const isDrifted = (plan: Plan): boolean =>
  allPlanned(plan).some(({ status, actions }) => status !== 'unchanged' && actions.length === 0);

/** What `plan` ends with: a conflict needs a person, a change needs a push. */
export const planExitCode = (
  plan: Plan,
  { acceptBreaks: acceptsBreaks, strict }: Pick<Options, 'acceptBreaks' | 'strict'>,
): number => {
  const planned = allPlanned(plan);
  if (planned.some(({ problems }) => problems.length > 0)) return exitCodes.failure;
  if (planned.some(({ status }) => status === 'both')) return exitCodes.conflict;
  if (plan.activates && !acceptsBreaks && breaksOf(plan).length > 0) return exitCodes.conflict;
  if (planned.some(({ actions }) => actions.length > 0)) return exitCodes.changes;
  return strict && isDrifted(plan) ? exitCodes.drift : 0;
};
