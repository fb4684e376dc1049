import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { cp, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from '@jest/globals';
import { testFolders } from '@stanza/test-kit/local/folder';

const root = join(import.meta.dirname, '../../..');

const newFolder = testFolders();

/** The files that the image is built from: those that .dockerignore names, without what it leaves out of them. */
const contextFiles = (): string[] => {
  const lines = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');
  const kept = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  const left = lines.filter((line) => line.startsWith('**/'));
  const exclude = [...left, ...left.map((it) => `${it}/**`)];
  return globSync(
    kept.flatMap((it) => [it, `${it}/**`]),
    { cwd: root, exclude, withFileTypes: true },
  )
    .filter((it) => it.isFile())
    .map((it) => join(it.parentPath, it.name).slice(root.length + 1));
};

it('holds what the settings of the compilers in it extend', () => {
  const files = contextFiles();
  const extended = files
    .filter((file) => /(?:^|\/)tsconfig[\w.]*\.json$/.test(file))
    .flatMap((file) => {
      const base = /"extends": "(.+)"/.exec(readFileSync(join(root, file), 'utf8'))?.[1];
      return base === undefined ? [] : [join(dirname(file), base)];
    });
  expect(extended).toContain('tsconfig.base.json');
  expect(extended.filter((it) => !files.includes(it))).toEqual([]);
});

it('holds what the build of the image reads to pack the SDKs', async () => {
  const folder = await newFolder();
  for (const file of contextFiles()) await cp(join(root, file), join(folder, file), { recursive: true });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  execFileSync(process.execPath, ['services/gateway/build/downloads.ts'], { cwd: folder, stdio: 'pipe' });
  expect(existsSync(join(folder, 'services/gateway/dist/downloads/stanza-sdk.tgz'))).toBe(true);
});
