import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type * as engine from '@stanza/engine';
import type * as testing from '@stanza/engine/testing';
import type * as gallery from '@stanza/gallery/exhibits';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/**
 * The commit whose engine this one is compared with. After a release it becomes the commit of that release, and the table
 * of allowed differences in `previous-engine.unit.test.ts` becomes empty: the changelog of the release has them.
 */
export const baseCommit = '6bd420ef0c7526eec2d2397f98a451557c0b1119';

/** What a comparison needs of an engine. */
export type Engine = Pick<typeof engine, 'parseTemplate' | 'parseView' | 'runProgram' | 'runView'>;

/** The generators of templates and data, which come from the tables of the engine that they belong to. */
export type Generators = Pick<typeof testing, 'soundTemplate' | 'templateData'>;

/** Templates as they were written for an engine. */
export type Gallery = Pick<typeof gallery, 'exhibits'>;

/** An engine of the history, with its generators and the templates of its time. */
export interface PreviousEngine {
  readonly engine: Engine;
  readonly generators: Generators;
  readonly gallery: Gallery;
}

const hasFunctions = (module: unknown, names: readonly string[]): boolean =>
  names.every((name) => typeof Reflect.get(Object(module), name) === 'function');

const isEngine = (module: unknown): module is Engine =>
  hasFunctions(module, ['parseTemplate', 'parseView', 'runProgram', 'runView']);

const isGenerators = (module: unknown): module is Generators =>
  ['soundTemplate', 'templateData'].every((name) =>
    hasFunctions(Reflect.get(Object(module), name), ['generate']),
  );

const isGallery = (module: unknown): module is Gallery =>
  Array.isArray(Reflect.get(Object(module), 'exhibits'));

/** Whether the history has a commit; a shallow clone or an archive of the checkout has none. */
export const hasCommit = (commit: string): boolean =>
  spawnSync('git', ['-C', root, 'cat-file', '-e', `${commit}^{commit}`]).status === 0;

/** The packages that the engine and its generators import. */
const packages = ['fastest-levenshtein', 'fast-check'];

const unpack = async (commit: string, folder: string): Promise<void> => {
  const archive = join(folder, 'engine.tar');
  await run('git', ['-C', root, 'archive', `--output=${archive}`, commit, 'shared/engine', 'shared/gallery']);
  await run('tar', ['-xf', archive, '-C', folder]);
  await mkdir(join(folder, 'node_modules'));
  for (const name of packages) {
    await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  }
};

const load = async (folder: string, file: string): Promise<unknown> =>
  import(pathToFileURL(join(folder, 'shared', file)).href);

/**
 * Loads the engine of a commit from the history of this repository, from its sources, and the gallery of that commit.
 * @returns undefined where the history does not have the commit
 */
export const previousEngine = async (commit: string = baseCommit): Promise<PreviousEngine | undefined> => {
  if (!hasCommit(commit)) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'stanza-engine-'));
  try {
    await unpack(commit, folder);
    const loaded = await load(folder, 'engine/src/index.ts');
    const generators = await load(folder, 'engine/src/testing/index.ts');
    const templates = await load(folder, 'gallery/exhibits.ts');
    if (!isEngine(loaded) || !isGenerators(generators) || !isGallery(templates)) {
      throw new Error(`the engine of ${commit} has other exports than this comparison needs`);
    }
    return { engine: loaded, generators, gallery: templates };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
