import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { nearestName } from '@stanza/engine';
import { CommandProblem } from '../problem.ts';
import { isObject } from './canonical.ts';
import { type Folder, folders } from './folders.ts';
import { isMissing, readJson } from './read-json.ts';

/** Names a folder with templates. */
export const projectFile = 'stanza.json';

/** A folder with templates, which `stanza init` has made. */
export interface Project {
  readonly folder: string;
  /** The folder of the templates. */
  readonly templates: string;
  /** What else the project has as files. */
  readonly kinds: readonly Folder[];
  /** The moment at which templates are compiled without a server, so that a golden test is the same each day. */
  readonly now: Date;
}

/** What `stanza.json` says where it says nothing else. */
export const usualProject = { templates: 'templates', now: '2026-11-21T08:30:00.000Z' } as const;

/** What `stanza.json` says of a new project. */
export const newProject = { ...usualProject, kinds: folders } as const;

const known = Object.keys(newProject);

const isFolder = (value: unknown): value is Folder => folders.some((folder) => folder === value);

const readProject = (folder: string, read: unknown): Project => {
  const wrong = (what: string) =>
    new CommandProblem(
      `${join(folder, projectFile)}: ${what}`,
      `Write it as ${JSON.stringify(newProject)}, or leave the key out.`,
    );
  if (!isObject(read)) throw wrong('is no object');
  for (const key of Object.keys(read)) {
    const near = nearestName(key, known);
    // A slip would leave the usual value standing: without `kinds`, whole folders would be passed over.
    if (near !== undefined && near !== key) throw wrong(`has no \`${key}\`; did you mean \`${near}\`?`);
  }
  const { templates = usualProject.templates, now = usualProject.now, kinds = [] } = read;
  if (typeof templates !== 'string' || templates === '')
    throw wrong('`templates` is to be the name of a folder');
  const moment = new Date(typeof now === 'string' ? now : Number.NaN);
  if (Number.isNaN(moment.getTime())) throw wrong('`now` is to be a time, as 2026-11-21T08:30:00Z');
  if (!Array.isArray(kinds) || !kinds.every(isFolder))
    throw wrong(`\`kinds\` is to list some of ${folders.join(', ')}`);
  return { folder, templates: resolve(folder, templates), kinds, now: moment };
};

/** Refuses a folder that is not there, as one whose name is mistyped. */
export const checkFolder = async (folder: string): Promise<void> => {
  const found = await stat(folder).catch((error) => {
    if (!isMissing(error)) throw error;
  });
  if (!found?.isDirectory())
    throw new CommandProblem(`There is no folder ${folder}.`, 'Correct its name, or make it first.');
};

/** The project that a folder lies in. */
export const findProject = async (start: string): Promise<Project> => {
  // The project above it, if any, was not meant.
  await checkFolder(resolve(start));
  for (let folder = resolve(start); ; folder = dirname(folder)) {
    const read = await readJson(join(folder, projectFile));
    if (read !== undefined) return readProject(folder, read);
    if (dirname(folder) === folder)
      throw new CommandProblem(
        `There is no ${projectFile} in ${resolve(start)} or above it.`,
        'Run `stanza init` where your templates are to be.',
      );
  }
};
