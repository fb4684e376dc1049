import { resolve } from 'node:path';
import { checkLockWritable } from '../files/lock-file.ts';
import { checkFolder } from '../files/project.ts';
import { makePlan } from '../plan/make-plan.ts';
import {
  allPlanned,
  breaksOf,
  breakText,
  type Plan,
  type Planned,
  removalText,
  withStatus,
} from '../plan/plan.ts';
import { pull } from '../plan/pull.ts';
import { readPlan } from '../plan/read-plan.ts';
import { readSituation, type Situation } from '../plan/situation.ts';
import { restOf, staleReasons } from '../plan/stale.ts';
import { CommandProblem, exitCodes } from '../problem.ts';
import type { Pushed } from '../push/progress.ts';
import { Push } from '../push/push.ts';
import { refIn } from '../resources/wanted.ts';
import type { Setting } from '../setting.ts';
import { planText } from '../show/plan-text.ts';
import type { AddCommand } from './command.ts';
import { addWishes, type Wishes, wishesOf } from './plan.ts';

/** What a push is asked for. */
export interface PushWishes extends Wishes {
  plan?: string;
  note?: string;
}

/** The plan to be carried out: the one that was written down, as far as it is still true, or one made now. */
const planFor = async (situation: Situation, saved: Plan | undefined, options: PushWishes): Promise<Plan> => {
  if (!saved) return makePlan(situation, { ...wishesOf(options), needsImpact: true });
  const { activates, archives, deletes, resends, choice } = saved;
  const now = await makePlan(situation, {
    activates,
    archives,
    deletes,
    resends,
    ...choice,
    needsImpact: true,
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

/** Refuses options that a saved plan does not have, as they would do nothing, and keys that name a part of it. */
const checkSaved = (saved: Plan, keys: readonly string[], options: PushWishes): void => {
  const { activates, archives, deletes, resends, choice } = saved;
  const named = keys.map(refIn);
  const others = allPlanned(saved).filter(({ key, actions }) => actions.length > 0 && !named.includes(key));
  if (keys.length > 0 && others.length > 0)
    throw new CommandProblem(
      `The plan changes ${others.map(({ key }) => key).join(', ')} too.`,
      'Nothing was pushed. A plan is carried out whole: name no keys, or plan again with these.',
    );
  const wished = wishesOf(options);
  const isChosen = (wanted: typeof wished.mine, planned: readonly string[]): boolean =>
    wanted.every((key) => planned.includes(key));
  const besides = [
    ...(wished.activates && !activates ? ['--activate'] : []),
    ...(wished.archives && !archives ? ['--archive'] : []),
    ...(wished.deletes && !deletes ? ['--delete'] : []),
    ...(wished.resends && !resends ? ['--secrets'] : []),
    ...(isChosen(wished.mine, choice.mine) ? [] : ['--mine']),
    ...(isChosen(wished.theirs, choice.theirs) ? [] : ['--theirs']),
  ];
  if (besides.length > 0)
    throw new CommandProblem(
      `The plan does not have ${besides.join(', ')}.`,
      'Nothing was pushed. Say it with `stanza plan --out`, or push without --plan.',
    );
};

/** Refuses a push that lacks the value of a variable. */
const checkVariables = ({ resources }: Plan): void => {
  const unset = resources.flatMap(({ key, unset: names }) => names.map((name) => `${key} needs ${name}`));
  if (unset.length > 0)
    throw new CommandProblem(
      `Variables are not set: ${unset.join(', ')}.`,
      'Nothing was pushed. Set them in the environment of the command.',
    );
};

/** Refuses, before anything is written, what a push cannot do or must not do unasked. */
const checkPlan = (plan: Plan, acceptsBreaks: boolean): void => {
  const problems = allPlanned(plan).flatMap(({ key, problems: own }) => own.map((it) => `${key}: ${it}`));
  if (problems.length > 0)
    throw new CommandProblem(problems.join('\n'), 'Nothing was pushed. Correct the files first.');
  checkVariables(plan);
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
const pushTitle = (plan: Plan): string => {
  const removal = removalText(plan);
  return removal === undefined ? 'This push' : `This push, which ${removal},`;
};

const pushedText = (pushed: readonly Pushed[]): string =>
  pushed.length === 0
    ? 'nothing to push'
    : pushed.map(({ key, done }) => `${key}: ${done.join(', ')}`).join('\n');

/** Shows what a push does, asks before it changes production, and does it. */
export const push = async (setting: Setting, keys: string[], options: PushWishes): Promise<void> => {
  const { terminal } = setting;
  const file = options.plan && resolve(terminal.folder, options.plan);
  const saved = file ? await readPlan(file) : undefined;
  if (saved) checkSaved(saved, keys, options);
  const situation = await readSituation(setting, keys);
  const plan = await setting.long('comparing', () => planFor(situation, saved, options));
  checkPlan(plan, options.acceptBreaks);
  // Half a checkout, or a slip in `stanza.json`, has no files at all; that takes nothing out of service.
  if (plan.templates.some(({ actions }) => actions.includes('archive')))
    await checkFolder(situation.project.templates);
  const isQuiet = allPlanned(plan).every(({ actions }) => actions.length === 0);
  if (!isQuiet) {
    terminal.note(planText(plan, setting.style));
    await setting.confirm(pushTitle(plan), situation.validated);
    await checkLockWritable(situation.project.folder);
  }
  const { acceptBreaks: acceptsBreaks, note } = options;
  const pushing = new Push(situation, { acceptsBreaks, note }, terminal.note);
  const pushed = await pushing.run(plan);
  if (plan.choice.theirs.length > 0) {
    const isChosen = ({ key }: Planned) => plan.choice.theirs.includes(key);
    const [templates, resources] = [plan.templates.filter(isChosen), plan.resources.filter(isChosen)];
    await pull(situation, { ...plan, templates, resources });
  }
  setting.show({ pushed }, () => pushedText(pushed));
};

/** `stanza push`. */
export const addPush: AddCommand = (program, setting) =>
  addWishes(
    program
      .command('push')
      .description('change the API to match the files; safe to run again after an interruption'),
  )
    .option('--plan <file>', 'do what this plan said, and nothing else')
    .option('--note <text>', 'for the versions and the log of activations')
    .action((keys: string[], options: PushWishes) => push(setting(), keys, options));
