/**
 * Builds the console into dist/: hashed files, each also compressed, so that the gateway compresses nothing. A build of
 * unchanged sources is left as it is.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compress } from './compress.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const stampFile = join(dist, '.build-stamp');

/** What the build is made from: the console's sources and those of the packages in it. */
const sources = [
  'services/console/{src,build,public}/**/*',
  'services/console/{index.html,vite.config.ts,package.json}',
  'shared/{engine,block-view,contracts}/src/**/*.ts',
  'shared/block-view/styles/**/*',
  'shared/gallery/**/*.{ts,json}',
  'package-lock.json',
];

const stampOf = (): string => {
  const repository = join(root, '../..');
  const hash = createHash('sha256').update(process.version);
  const files = globSync(sources, { cwd: repository, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const file of files) hash.update(file.slice(repository.length)).update(readFileSync(file));
  return hash.digest('hex');
};

const stamp = stampOf();
if (!existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== stamp) {
  // Most commands find nothing to build, and the bundler takes longer to load than they do to look.
  const { build } = await import('vite');
  await build({ root, configFile: join(root, 'vite.config.ts'), logLevel: 'warn' });
  compress(dist);
  writeFileSync(stampFile, stamp);
}
