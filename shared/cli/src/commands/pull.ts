import { makePlan } from '../plan/make-plan.ts';
import { type Pulled, pull } from '../plan/pull.ts';
import { readSituation, type Situation } from '../plan/situation.ts';
import { exitCodes } from '../problem.ts';
import { refIn } from '../resources/wanted.ts';
import type { Setting } from '../setting.ts';
import type { AddCommand } from './command.ts';

interface Options {
  mine: string[];
  theirs: string[];
}

const words = {
  written: 'written',
  removed: 'removed: it is not there any more',
  kept: 'kept: it was changed here',
  conflict: 'changed here and there: name a side by --mine or --theirs',
} as const;

const pulledText = (pulled: readonly Pulled[]): string => {
  const lines = pulled.flatMap(({ key, outcome }) =>
    outcome === 'agreed' ? [] : [`${key}: ${words[outcome]}`],
  );
  const agreed = pulled.filter(({ outcome }) => outcome === 'agreed').length;
  return [...lines, `${agreed} unchanged`].join('\n');
};

/**
 * Writes what has changed in the API into the files, and says what became of each.
 * @param seen what of the API counts; the newest version of everything unless given
 * @returns what was there
 */
export const pullFiles = async (
  setting: Setting,
  keys: string[],
  { mine, theirs }: Options,
  seen = async (there: Situation): Promise<Situation> => there,
): Promise<Situation> => {
  const there = await readSituation(setting, keys, theirs.map(refIn));
  const situation = await seen(there);
  const plan = await makePlan(situation, {
    activates: false,
    archives: false,
    deletes: false,
    resends: false,
    mine: mine.map(refIn),
    theirs: theirs.map(refIn),
    needsImpact: false,
  });
  const pulled = await setting.long('writing', () => pull(situation, plan));
  setting.show({ pulled }, () => pulledText(pulled));
  if (pulled.some(({ outcome }) => outcome === 'conflict')) setting.end(exitCodes.conflict);
  return there;
};

/** `stanza pull`. */
export const addPull: AddCommand = (program, setting) =>
  program
    .command('pull')
    .description('write what has changed in the API into the files; keeps your own changes')
    .argument('[keys...]', 'templates by key, others as queues/<key>; all where none is named')
    .option('--mine <keys...>', 'keep the files, which the next push puts over what is there', [])
    .option('--theirs <keys...>', 'overwrite the files with what is there', [])
    .action(async (keys: string[], options: Options) => {
      await pullFiles(setting(), keys, options);
    });
