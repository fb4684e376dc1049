import { join, resolve } from 'node:path';

/** The checkout of this stack; the same from `src` and from `dist`. */
export const projectRoot = resolve(import.meta.dirname, '../../..');

/** Folder of a package that npm installed. */
export const packageFolder = (name: string): string => join(projectRoot, 'node_modules', name);

/** A script of this package: TypeScript when the caller runs from its sources, otherwise its build. */
export const scriptPath = (name: string): string =>
  join(import.meta.dirname, `${name}${import.meta.filename.endsWith('.ts') ? '.ts' : '.js'}`);
