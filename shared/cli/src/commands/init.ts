import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileText } from '../files/canonical.ts';
import { projectFile, usualProject } from '../files/project.ts';
import { readText } from '../files/read-json.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import type { Setting } from '../setting.ts';
import type { AddCommand } from './command.ts';

const init = async (setting: Setting): Promise<void> => {
  const folder = resolve(setting.options.dir ?? setting.terminal.folder);
  const file = join(folder, projectFile);
  const isNew = (await readText(file)) === undefined;
  if (isNew) {
    await mkdir(join(folder, usualProject.templates), { recursive: true });
    await writeAtomically(file, fileText(usualProject));
  }
  setting.show({ folder, created: isNew }, () =>
    isNew ? `wrote ${file}: \`stanza pull\` fetches the templates` : `${file} is there already`,
  );
};

/** `stanza init`. */
export const addInit: AddCommand = (program, setting) =>
  program
    .command('init')
    .description('make a folder of templates')
    .action(() => init(setting()));
