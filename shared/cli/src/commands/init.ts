import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileText } from '../files/canonical.ts';
import { newProject, projectFile } from '../files/project.ts';
import { readText } from '../files/read-json.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import type { Setting } from '../setting.ts';
import type { AddCommand } from './command.ts';

/** Makes a project of a folder. @returns whether it was none before */
export const makeProject = async (folder: string): Promise<boolean> => {
  const file = join(folder, projectFile);
  if ((await readText(file)) !== undefined) return false;
  await mkdir(join(folder, newProject.templates), { recursive: true });
  await writeAtomically(file, fileText(newProject));
  return true;
};

const init = async (setting: Setting): Promise<void> => {
  const { folder } = setting;
  const file = join(folder, projectFile);
  const isNew = await makeProject(folder);
  setting.show({ folder, created: isNew }, () =>
    isNew ? `wrote ${file}: \`stanza pull\` fetches the templates` : `${file} is there already`,
  );
};

/** `stanza init`. */
export const addInit: AddCommand = (program, setting) =>
  program
    .command('init')
    .description('make a folder of files')
    .action(() => init(setting()));
