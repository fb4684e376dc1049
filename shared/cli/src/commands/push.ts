import { resolve } from 'node:path';
import { makePlan } from '../plan/make-plan.ts';
import { breaksOf, breakText, type Plan, withStatus } from '../plan/plan.ts';
import { pull } from '../plan/pull.ts';
import { readPlan } from '../plan/read-plan.ts';
import { readSituation, type Situation } from '../plan/situation.ts';
import { restOf, staleReasons } from '../plan/stale.ts';
import { CommandProblem, exitCodes } from '../problem.ts';
import { Push, type Pushed } from '../push/push.ts';
import type { Setting } from '../setting.ts';
import { planText } from '../show/plan-text.ts';
import type { AddCommand } from './command.ts';

/** What a push is asked for. */
interface Options {
  plan?: string;
  activate: boolean;
  archive: boolean;
  acceptBreaks: boolean;
  note?: string;
  mine: string[];
  theirs: string[];
}

/** The plan to be carried out: the one that was written down, as far as it is still true, or one made now. */
const planFor = async (situation: Situation, saved: Plan | undefined, options: Options): Promise<Plan> => {
  const { activate: activates, archive: archives, mine, theirs } = options;
  if (!saved) return makePlan(situation, { activates, archives, mine, theirs, asksImpact: true });
  const now = await makePlan(situation, {
    activates: saved.activates,
    archives: saved.archives,
    ...saved.choice,
    asksImpact: true,
  });
  const stale = staleReasons(saved, now);
  if (stale.length > 0)
    throw new CommandProblem(
      `The plan is stale: ${stale.join('; ')}.`,
      'Nothing was changed. Plan again, and read what is different.',
      exitCodes.conflict,
    );
  return restOf(saved, now);
};

/** Refuses, before anything is written, what a push cannot do or must not do unasked. */
const checkPlan = (plan: Plan, acceptsBreaks: boolean): void => {
  const problems = plan.templates.flatMap(({ key, problems: own }) => own.map((it) => `${key}: ${it}`));
  if (problems.length > 0)
    throw new CommandProblem(problems.join('\n'), 'Nothing was pushed. Correct the files first.');
  const both = withStatus(plan, 'both');
  if (both.length > 0)
    throw new CommandProblem(
      both.map(({ key, why }) => `${key}: ${why ?? 'changed here and there'}`).join('\n'),
      'Nothing was pushed. Name a side for each: --mine <key> keeps your files, --theirs <key> takes what is there.',
      exitCodes.conflict,
    );
  const breaks = breaksOf(plan);
  if (plan.activates && !acceptsBreaks && breaks.length > 0)
    throw new CommandProblem(
      breaks.map(breakText).join('\n'),
      'Nothing was pushed. Correct the template or the data, or say --accept-breaks.',
      exitCodes.conflict,
    );
};

/** Names a push with what it takes out of service. */
const pushTitle = ({ templates }: Plan): string => {
  const archived = templates.filter(({ actions }) => actions.includes('archive')).map(({ key }) => key);
  if (archived.length === 0) return 'This push';
  const count = archived.length === 1 ? '1 template' : `${archived.length} templates`;
  return `This push, which archives ${count} (${archived.join(', ')}),`;
};

const pushedText = (pushed: readonly Pushed[]): string =>
  pushed.length === 0
    ? 'nothing to push'
    : pushed.map(({ key, done }) => `${key}: ${done.join(', ')}`).join('\n');

const push = async (setting: Setting, keys: string[], options: Options): Promise<void> => {
  const { terminal } = setting;
  const file = options.plan && resolve(terminal.folder, options.plan);
  const saved = file ? await readPlan(file) : undefined;
  const situation = await readSituation(setting, keys);
  const plan = await planFor(situation, saved, options);
  checkPlan(plan, options.acceptBreaks);
  const isQuiet = plan.templates.every(({ actions }) => actions.length === 0);
  if (!isQuiet) {
    terminal.note(planText(plan, setting.style));
    await setting.confirm(pushTitle(plan), situation.validated);
  }
  const { acceptBreaks: acceptsBreaks, note } = options;
  const pushed = await new Push(situation, { acceptsBreaks, note }, terminal.note).run(plan);
  if (plan.choice.theirs.length > 0) {
    const chosen = plan.templates.filter(({ key }) => plan.choice.theirs.includes(key));
    await pull(situation, { ...plan, templates: chosen });
  }
  setting.show({ pushed }, () => pushedText(pushed));
};

/** `stanza push`. */
export const addPush: AddCommand = (program, setting) =>
  program
    .command('push')
    .description('change the API to match the files; safe to run again after an interruption')
    .argument('[keys...]', 'templates; all where none is named')
    .option('--plan <file>', 'do what this plan said, and nothing else')
    .option('--activate', 'also make the newest versions live', false)
    .option('--archive', 'also archive what has no folder any more', false)
    .option('--accept-breaks', 'make versions live with which stored data breaks', false)
    .option('--note <text>', 'for the versions and the log of activations')
    .option('--mine <keys...>', 'the files win where both sides have changed', [])
    .option('--theirs <keys...>', 'the API wins where both sides have changed', [])
    .action((keys: string[], options: Options) => push(setting(), keys, options));
