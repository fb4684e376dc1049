/**
 * A program: writes what the build makes from other sources, and what is therefore not committed. What was made from
 * the same sources before is left as it is.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { builtFiles } from './built-files.ts';
import { operationIndexes } from './operation-indexes.ts';

const root = join(import.meta.dirname, '../../..');
const stampFile = join(import.meta.dirname, '../dist/.stamp');

const sources = [
  'shared/{contracts,sdk-emitter,block-view}/src/**/*.ts',
  'shared/block-view/styles/*.css',
  'shared/gallery/{exhibits.ts,*/*.json}',
  'package.json',
  'package-lock.json',
];

const stampOf = (): string => {
  const hash = createHash('sha256').update(process.version);
  const files = globSync(sources, { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
  for (const file of files.sort()) hash.update(file).update(readFileSync(join(root, file)));
  return hash.digest('hex');
};

const write = (file: string, text: string): void => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};

// What is made below imports them. One that is as before is left, since watchers look at its time.
for (const [file, text] of Object.entries(operationIndexes())) {
  const path = join(root, file);
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
}

const stamp = stampOf();
const isThere = builtFiles.every((file) => existsSync(join(root, file)));
if (!isThere || !existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== stamp) {
  const { sdkFiles } = await import('./files.ts');
  const { agentViewFile, agentViewSource } = await import('./agent-view.ts');
  const { galleryFile, gallerySource } = await import('./gallery-module.ts');
  const made = { ...sdkFiles(), [agentViewFile]: await agentViewSource(), [galleryFile]: gallerySource() };
  for (const [file, text] of Object.entries(made)) write(join(root, file), text);
  write(stampFile, stamp);
}
