import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '@stanza/local/project';
import { runProgram } from './run-program.ts';

/** What is installed when it is used, so that nobody else installs it: folders with a lock of their own. */
const titles = {
  'tests/bench': 'Installing the peers of the bench',
  'tests/conformance': 'Installing the conformance checks',
  'docs/site': 'Installing the generator of the site',
};

/** A folder with packages of its own. */
export type FolderBeside = keyof typeof titles;

/** Installs the packages of a folder where they are missing or of another lock; answers whether they are there. */
export const installBeside = async (folder: FolderBeside): Promise<boolean> => {
  const program = join(projectRoot, 'deploy/local/bootstrap/install-beside.mjs');
  return (await runProgram(process.execPath, [program, folder, titles[folder]])) === 0;
};

/** Whether a folder's packages were installed here. */
export const isInstalledBeside = (folder: FolderBeside): boolean =>
  existsSync(join(projectRoot, folder, 'node_modules/.package-lock.json'));
