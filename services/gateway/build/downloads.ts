/**
 * Packs what programs install from a running gateway, the SDKs and the command, into dist/downloads/. What was packed
 * from the same sources before is left as it is.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const folder = join(import.meta.dirname, '../dist/downloads');
const stampFile = join(import.meta.dirname, '../dist/.downloads-stamp');

/** The packages of npm, by the name of their file. */
const packages = { 'stanza-sdk.tgz': '@stanza/sdk', 'stanza-cli.tgz': '@stanza/cli' };

const sources = [
  'shared/{sdk,cli}/{src,bin,build,cjs}/**/*.{js,ts}',
  'shared/{sdk,cli}/{package.json,README.md,tsconfig.json}',
  'package.json',
  'shared/{contracts,engine,mcp,sdk-emitter}/src/**/*.ts',
  'shared/sdk-python/{README.md,{stanza_sdk,build}/*}',
  'services/gateway/build/*.ts',
  'package-lock.json',
];

const stampOf = (): string => {
  const hash = createHash('sha256').update(process.version);
  const files = globSync(sources, { cwd: root }).filter(
    (file) => !/\.test\.ts$|\/dist\/|__pycache__/.test(file),
  );
  for (const file of files.sort()) hash.update(file).update(readFileSync(join(root, file)));
  return hash.digest('hex');
};

/** npm as it was started, else that of the path. */
const npm = (words: readonly string[]): string => {
  const { npm_execpath: cli } = process.env;
  const options = { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] } as const;
  if (cli?.endsWith('.js')) return execFileSync(process.execPath, [cli, ...words], options);
  return execFileSync('npm', words, { ...options, shell: process.platform === 'win32' });
};

/** The version of a package, which npm writes into the name of its file. */
const versionOf = (name: string): string =>
  JSON.parse(readFileSync(join(root, `shared/${name.split('/')[1]}/package.json`), 'utf8')).version;

/** What `prepack` of both packages does, without an npm for each: the generated sources are up to date here. */
const buildPackages = (): void => {
  const run = (...words: string[]) => execFileSync(process.execPath, words, { cwd: root, stdio: 'inherit' });
  run('node_modules/typescript/bin/tsc', '-b', 'shared/sdk', 'shared/sdk/cjs', '--noCheck');
  run('shared/cli/build/bundle.ts');
};

/** Packs the workspaces under names without a version, which links can keep. */
const packAll = (): void => {
  const workspaces = Object.values(packages).flatMap((name) => ['--workspace', name]);
  npm(['pack', '--silent', '--ignore-scripts', ...workspaces, '--pack-destination', folder]);
  for (const [file, name] of Object.entries(packages))
    renameSync(join(folder, file.replace('.tgz', `-${versionOf(name)}.tgz`)), join(folder, file));
};

const stamp = stampOf();
if (!existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== stamp) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  buildPackages();
  packAll();
  execFileSync(process.execPath, [join(root, 'shared/sdk-python/build/wheel.ts'), folder]);
  writeFileSync(stampFile, stamp);
}
