/**
 * Builds the console into dist/: hashed files, each also compressed, so that the gateway compresses nothing. A build of
 * unchanged sources is left as it is.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';

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

/** Smaller than this a file is not worth a second one. */
const leastBytes = 512;

const compress = (): void => {
  const files = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(js|css|html|svg|json)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  for (const file of files) {
    const content = readFileSync(file);
    if (content.length < leastBytes) continue;
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: 10,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    };
    writeFileSync(`${file}.br`, brotliCompressSync(content, { params }));
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  }
};

const stamp = stampOf();
if (!existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== stamp) {
  await build({ root, configFile: join(root, 'vite.config.ts'), logLevel: 'warn' });
  compress();
  writeFileSync(stampFile, stamp);
}
