import { resolve } from 'node:path';
import { projectFile } from '../files/project.ts';
import type { Situation } from '../plan/situation.ts';
import { CommandProblem } from '../problem.ts';
import { liveOf as liveResourceOf } from '../resources/kind.ts';
import { Setting } from '../setting.ts';
import { forEach, liveOf } from '../templates/remote.ts';
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

/** What is there as it is live; what never was live is there in its newest version. */
const asLive = async (there: Situation): Promise<Situation> => {
  const templates = await forEach([...there.remotes.values()], liveOf);
  const others = await forEach([...there.resourcesThere.values()], liveResourceOf);
  return {
    ...there,
    remotes: new Map(templates.map((it) => [it.key, it])),
    resourcesThere: new Map(others.map((it) => [it.ref, it])),
  };
};

/** The newest versions that are not live here: those with an older one that is, and those without any. */
const notLive = ({ remotes, resourcesThere }: Situation): { behind: string[]; never: string[] } => {
  const templates = [...remotes.values()].map(({ key, isArchived, liveVersionId, newest }) => ({
    key,
    isShown: !isArchived && liveVersionId !== newest.id,
    isLive: liveVersionId !== null,
    number: newest.version_number,
  }));
  const others = [...resourcesThere.values()].map(({ ref: key, kind, found }) => ({
    key,
    isShown: kind.hasVersions && !found.is_archived && found.live_version_id !== found.version_id,
    isLive: found.live_version_id !== null,
    number: found.version_number,
  }));
  const shown = [...templates, ...others].filter((it) => it.isShown);
  const named = (isLive: boolean) =>
    shown.flatMap((it) => (it.isLive === isLive ? [`${it.key} version ${it.number}`] : []));
  return { behind: named(true), never: named(false) };
};

const exportTo = async (setting: Setting, folder: string): Promise<void> => {
  const there = settingIn(setting, folder);
  await makeProject(there.folder);
  const read = await pullFiles(there, [], { mine: [], theirs: [] }, asLive);
  const { behind, never } = notLive(read);
  const { note } = setting.terminal;
  if (behind.length > 0) note(`left out, as an older version is live here: ${behind.join(', ')}`);
  if (never.length > 0) note(`not live here, and made live by an import: ${never.join(', ')}`);
};

const importFrom = async (
  setting: Setting,
  folder: string,
  keys: string[],
  options: PushWishes,
): Promise<void> => {
  const here = settingIn(setting, folder);
  // What an export has written has this file. Without it the project above would be made live, and was not meant.
  if ((await here.project()).folder !== here.folder)
    throw new CommandProblem(
      `There is no ${projectFile} in ${here.folder}.`,
      'Name a folder that `stanza export` has written.',
    );
  await push(here, keys, { ...options, activate: true });
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
      importFrom(setting(), folder, keys, options),
    );
