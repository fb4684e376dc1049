import { resolve } from 'node:path';
import { fileText } from '../files/canonical.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import { makePlan } from '../plan/make-plan.ts';
import { breaksOf, type Plan } from '../plan/plan.ts';
import { readSituation } from '../plan/situation.ts';
import { exitCodes } from '../problem.ts';
import type { Setting } from '../setting.ts';
import { planMarkdown } from '../show/plan-markdown.ts';
import { planText } from '../show/plan-text.ts';
import type { AddCommand } from './command.ts';

/** What a plan is asked for. */
interface Options {
  activate: boolean;
  archive: boolean;
  acceptBreaks: boolean;
  markdown: boolean;
  strict: boolean;
  out?: string;
  mine: string[];
  theirs: string[];
}

const showPlan = async (setting: Setting, keys: string[], options: Options): Promise<void> => {
  const { activate: activates, archive: archives, mine, theirs, markdown, out: file } = options;
  const situation = await readSituation(setting, keys);
  const plan = await makePlan(situation, { activates, archives, mine, theirs, asksImpact: true });
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
  program
    .command('plan')
    .description(
      'show what a push would do; exits with 0 nothing, 2 changes, 3 conflict, 4 drift with --strict, 1 failure',
    )
    .argument('[keys...]', 'templates; all where none is named')
    .option('--activate', 'also make the newest versions live', false)
    .option('--archive', 'also archive what has no folder any more', false)
    .option('--accept-breaks', 'stored data that breaks is no conflict', false)
    .option('--strict', 'what differs and a push leaves alone is an error', false)
    .option('--markdown', 'as a comment on a pull request', false)
    .option('--out <file>', 'write the plan to a file, for `push --plan`')
    .option('--mine <keys...>', 'the files win where both sides have changed', [])
    .option('--theirs <keys...>', 'the API wins where both sides have changed', [])
    .action((keys: string[], options: Options) => showPlan(setting(), keys, options));

/** Whether files and API differ in what a push leaves alone. */
const isDrifted = ({ templates }: Plan): boolean =>
  templates.some(({ status, actions }) => status !== 'unchanged' && actions.length === 0);

/** What `plan` ends with: a conflict needs a person, a change needs a push. */
export const planExitCode = (
  plan: Plan,
  { acceptBreaks: acceptsBreaks, strict }: Pick<Options, 'acceptBreaks' | 'strict'>,
): number => {
  const { templates } = plan;
  if (templates.some(({ problems }) => problems.length > 0)) return exitCodes.failure;
  if (templates.some(({ status }) => status === 'both')) return exitCodes.conflict;
  if (plan.activates && !acceptsBreaks && breaksOf(plan).length > 0) return exitCodes.conflict;
  if (templates.some(({ actions }) => actions.length > 0)) return exitCodes.changes;
  return strict && isDrifted(plan) ? exitCodes.drift : 0;
};
