import { resolve } from 'node:path';
import type { Situation } from '../plan/situation.ts';
import { Setting } from '../setting.ts';
import type { AddCommand } from './command.ts';
import { makeProject } from './init.ts';
import { addWishes } from './plan.ts';
import { pullFiles } from './pull.ts';
import { type PushWishes, push } from './push.ts';

/** The same command in another folder. */
const settingIn = (setting: Setting, folder: string): Setting => {
  const dir = resolve(setting.terminal.folder, folder);
  return new Setting(setting.terminal, { ...setting.options, dir }, (code) => setting.end(code));
};

/** Versions that an import makes live, and that are not live here. */
const notLive = ({ remotes, resourcesThere }: Situation): string[] => {
  const templates = [...remotes.values()].map(({ key, isArchived, liveVersionId: live, newest }) => ({
    key,
    isLeft: isArchived || live === newest.id,
    number: newest.version_number,
  }));
  const others = [...resourcesThere.values()].map(({ ref: key, kind, found }) => ({
    key,
    isLeft: !kind.hasVersions || found.is_archived || found.live_version_id === found.version_id,
    number: found.version_number,
  }));
  return [...templates, ...others].flatMap(({ key, isLeft, number }) =>
    isLeft ? [] : [`${key} version ${number}`],
  );
};

const exportTo = async (setting: Setting, folder: string): Promise<void> => {
  const there = settingIn(setting, folder);
  await makeProject(there.folder);
  const made = notLive(await pullFiles(there, [], { mine: [], theirs: [] }));
  if (made.length > 0) setting.terminal.note(`not live here, and made live by an import: ${made.join(', ')}`);
};

/** `stanza export`. */
export const addExport: AddCommand = (program, setting) =>
  program
    .command('export')
    .description('write a whole environment into a folder, for `import` elsewhere; secrets become variables')
    .argument('<folder>', 'a new one, or one that was exported to before')
    .action((folder: string) => exportTo(setting(), folder));

/** `stanza import`. */
export const addImport: AddCommand = (program, setting) =>
  addWishes(
    program
      .command('import')
      .description('make everything that was exported to a folder, live; a second time changes nothing')
      .argument('<folder>', 'one that `stanza export` has written'),
  )
    .option('--note <text>', 'for the versions and the log of activations')
    .action((folder: string, keys: string[], options: PushWishes) =>
      push(settingIn(setting(), folder), keys, { ...options, activate: true }),
    );
