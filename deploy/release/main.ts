import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { notesOf } from './changelog.ts';
import { checkImages, pinImages } from './images.ts';
import { readManifest } from './manifests.ts';

/**
 * Commands of the release workflow. `node deploy/release/main.ts notes v1.2.3` writes the notes of that tag, which must
 * be the version of package.json; `… images` lists the images of others and fails while one has no digest. Before a
 * release, by hand: `… pin` writes the digests that their tags have now.
 */
const root = join(import.meta.dirname, '../..');

const notes = (tag: string): string => {
  const { version } = readManifest(root);
  if (tag !== `v${version}`) throw new Error(`the tag is ${tag}, the version in package.json is ${version}`);
  return notesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), tag.slice(1));
};

const answer = (words: readonly string[]): string => {
  const [command, tag] = words;
  if (command === 'notes' && tag !== undefined) return notes(tag);
  if (command === 'images') return checkImages(root);
  if (command === 'pin') return pinImages(root);
  throw new Error('usage: main.ts notes <tag> | main.ts images | main.ts pin');
};

try {
  process.stdout.write(answer(process.argv.slice(2)));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
