import { relative, resolve } from 'node:path';
import { type StackDirectory, stackDirectory } from '../directory.ts';
import { projectRoot } from '../project.ts';

/** The folder of the stack that `npm start` runs: `.stanza` in the checkout, or the one `STANZA_DIRECTORY` names. */
export const homeDirectory = (): StackDirectory =>
  stackDirectory(resolve(projectRoot, process.env.STANZA_DIRECTORY || '.stanza'));

/** A path relative to the checkout. */
export const shortPath = (path: string): string => {
  const short = relative(projectRoot, path);
  return short.startsWith('..') ? path : short;
};
