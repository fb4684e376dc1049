import { relative } from 'node:path';
import { type StackDirectory, stackDirectory } from '../directory.ts';
import { projectRoot } from '../project.ts';

/** The folder of the stack that `npm start` runs. */
export const homeDirectory = (): StackDirectory => stackDirectory(`${projectRoot}/.stanza`);

/** A path as one would type it from the checkout. */
export const shortPath = (path: string): string => {
  const short = relative(projectRoot, path);
  return short.startsWith('..') ? path : short;
};
