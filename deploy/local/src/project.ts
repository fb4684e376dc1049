import { join, resolve } from 'node:path';

/** The checkout this stack belongs to; the same from `src` and from `dist`. */
export const projectRoot = resolve(import.meta.dirname, '../../..');

/** Where npm put a package of the checkout. */
export const packageFolder = (name: string): string => join(projectRoot, 'node_modules', name);

/** A script of this package: TypeScript when the caller runs from its sources, else what was built from it. */
export const scriptPath = (name: string): string =>
  join(import.meta.dirname, `${name}${import.meta.filename.endsWith('.ts') ? '.ts' : '.js'}`);
