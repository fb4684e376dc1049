import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Projects whose declarations are packed for programs, so the compiler builds them whole. */
const packed = ['shared/sdk', 'shared/sdk/cjs'];

const folder = '.stanza/emit';

/** The compiler's record of a build without declarations; it goes with the files it is about. */
const recordOf = (project) => `${project}/dist/.emit.tsbuildinfo`;

/** The projects of the checkout, by their folder. */
const projectsOf = (root) =>
  JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')).references.map(({ path }) => path);

/** Whether every project was built with its declarations, and is kept up to date by the compiler's own record. */
export const isBuiltWhole = (root) =>
  projectsOf(root).every((project) => existsSync(join(root, project, 'dist/.tsbuildinfo')));

/**
 * The compiler's projects for a build that writes programs alone. A declaration needs the inferred types of all it
 * imports, which takes most of the time of a build, and nothing that runs reads one. The programs are the same.
 * @param {string} root the checkout
 * @returns {string[]} arguments for `tsc -b`
 */
export const programsOnly = (root) => {
  mkdirSync(join(root, folder), { recursive: true });
  const references = projectsOf(root)
    .filter((project) => !packed.includes(project))
    .map((project) => ({ path: writeProject(root, project) }));
  writeIfOther(join(root, folder, 'tsconfig.json'), JSON.stringify({ files: [], references }));
  return [folder, ...packed];
};

/** @returns {string} the file's name */
const writeProject = (root, project) => {
  const name = `${project.replaceAll('/', '-')}.json`;
  const compilerOptions = {
    composite: false,
    declaration: false,
    incremental: true,
    tsBuildInfoFile: `../../${recordOf(project)}`,
    // Each file is written from itself alone: no import is followed, and the smallest library is read.
    noResolve: true,
    lib: ['es5'],
    types: [],
  };
  const config = { extends: `../../${project}/tsconfig.json`, compilerOptions };
  writeIfOther(join(root, folder, name), JSON.stringify(config));
  return `./${name}`;
};

/** A file that is as before is left, since the compiler looks at its time. */
const writeIfOther = (file, text) => {
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
};

/** Forgets what builds of programs alone have written, which a whole build is about to write. */
export const forgetProgramsOnly = (root) => {
  for (const project of projectsOf(root)) rmSync(join(root, recordOf(project)), { force: true });
};
