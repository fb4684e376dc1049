import { dirname, join, resolve } from 'node:path';
import { CommandProblem } from '../problem.ts';
import { isObject } from './canonical.ts';
import { readJson } from './read-json.ts';

/** Names a folder with templates. */
export const projectFile = 'stanza.json';

/** A folder with templates, which `stanza init` has made. */
export interface Project {
  readonly folder: string;
  /** The folder of the templates. */
  readonly templates: string;
  /** The moment at which templates are compiled without a server, so that a golden test is the same each day. */
  readonly now: Date;
}

/** What `stanza.json` says where it says nothing else. */
export const usualProject = { templates: 'templates', now: '2026-11-21T08:30:00.000Z' } as const;

const readProject = (folder: string, read: unknown): Project => {
  const wrong = (what: string) =>
    new CommandProblem(
      `${join(folder, projectFile)}: ${what}`,
      `Write it as ${JSON.stringify(usualProject)}, or leave the key out.`,
    );
  if (!isObject(read)) throw wrong('is no object');
  const { templates = usualProject.templates, now = usualProject.now } = read;
  if (typeof templates !== 'string' || templates === '')
    throw wrong('`templates` is to be the name of a folder');
  const moment = new Date(typeof now === 'string' ? now : Number.NaN);
  if (Number.isNaN(moment.getTime())) throw wrong('`now` is to be a time, as 2026-11-21T08:30:00Z');
  return { folder, templates: resolve(folder, templates), now: moment };
};

/** The project that a folder lies in. */
export const findProject = async (start: string): Promise<Project> => {
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
