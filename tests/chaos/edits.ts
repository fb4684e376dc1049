import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { linkPackages } from '../kit/previous-version.ts';

/** A change of the program: text of a source, which stands there once and alike in what is built of it. */
export interface Edit {
  /** The source, from the root of the checkout. */
  file: string;
  find: string;
  replace: string;
}

/** The checkout. */
export const checkout = join(import.meta.dirname, '../..');

/** Makes an edit in a text; refuses one that finds nothing, or more than one place. */
export const edited = (text: string, { file, find, replace }: Edit): string => {
  const [before, after, ...more] = text.split(find);
  if (before === undefined || after === undefined) throw new Error(`${file} does not hold: ${find}`);
  if (more.length > 0) throw new Error(`${file} holds more than once: ${find}`);
  return `${before}${replace}${after}`;
};

/** What is built of a source. */
export const builtOf = (file: string): string => file.replace('/src/', '/dist/').replace(/\.ts$/, '.js');

/** A copy of what was built in this checkout, with edits; nothing else is different. */
export const copyWithEdits = async (folder: string, edits: readonly Edit[]): Promise<void> => {
  await mkdir(folder, { recursive: true });
  await cp(join(checkout, 'package.json'), join(folder, 'package.json'));
  for (const group of ['shared', 'services']) {
    const filter = (path: string) => !/\/(node_modules|src)$/.test(path);
    await cp(join(checkout, group), join(folder, group), { recursive: true, filter });
  }
  await linkPackages(folder);
  for (const edit of edits) {
    const built = join(folder, builtOf(edit.file));
    await writeFile(built, edited(await readFile(built, 'utf8'), { ...edit, file: builtOf(edit.file) }));
  }
};
