import { mkdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Block, isTranslations } from '@stanza/engine';
import { isObject, type JsonObject } from '../files/canonical.ts';
import { entriesOf, readJson } from '../files/read-json.ts';
import { CommandProblem } from '../problem.ts';

/** The folder of a template with its texts: a file for each language, named by it. */
const folderName = 'translations';

const filesIn = async (folder: string): Promise<string[]> => {
  const names = (await entriesOf(join(folder, folderName))).map(({ name }) => name);
  return names.filter((name) => name.endsWith('.json'));
};

/** The texts in the entry of the blocks that brings them, where it says nothing else. */
const textsOf = (entry: Block | undefined): JsonObject | undefined => {
  if (!isTranslations(entry) || Object.keys(entry).length > 3) return undefined;
  const { translations } = entry;
  return isObject(translations) && Object.values(translations).every(isObject) ? translations : undefined;
};

/** Blocks without the entry at their end that brings the texts, and these by language. */
export const withoutTexts = (blocks: readonly Block[]): { blocks: readonly Block[]; texts: JsonObject } => {
  const texts = textsOf(blocks.at(-1));
  return texts ? { blocks: blocks.slice(0, -1), texts } : { blocks, texts: {} };
};

/** Blocks with the texts that lie next to them as files. */
export const withTexts = async (folder: string, blocks: readonly Block[]): Promise<Block[]> => {
  const files = await filesIn(folder);
  if (files.length === 0) return [...blocks];
  if (blocks.some(isTranslations)) {
    throw new CommandProblem(
      `${folder} has texts in ${folderName}/ and in the entry #translations of its blocks.`,
      'Move those of the blocks into the files, and take the entry out.',
    );
  }
  const translations: JsonObject = {};
  for (const file of files) {
    const path = join(folder, folderName, file);
    const texts = await readJson(path);
    if (!isObject(texts)) throw new CommandProblem(`${path} is no object.`, 'Write {"key": "text"}.');
    translations[file.slice(0, -'.json'.length)] = texts;
  }
  return [...blocks, { type: 'directive', directive: '#translations', translations }];
};

/**
 * Writes the texts, a file for each language, and removes those of languages that are gone.
 * @param write writes a file where what it holds is something else, and says whether it did
 * @returns whether a file has changed
 */
export const writeTexts = async (
  folder: string,
  texts: JsonObject,
  write: (file: string, value: JsonObject) => Promise<boolean>,
): Promise<boolean> => {
  const gone = (await filesIn(folder)).filter(
    (file) => !Object.hasOwn(texts, file.slice(0, -'.json'.length)),
  );
  for (const file of gone) await rm(join(folder, folderName, file));
  const languages = Object.entries(texts);
  if (gone.length > 0 && languages.length === 0) await rmdir(join(folder, folderName));
  if (languages.length > 0) await mkdir(join(folder, folderName), { recursive: true });
  let isChanged = gone.length > 0;
  for (const [locale, value] of languages) {
    if (!/^[A-Za-z\d-]{2,35}$/.test(locale) || !isObject(value)) {
      throw new CommandProblem(
        `The API names a language ${JSON.stringify(locale)}.`,
        'No file can have that name.',
      );
    }
    isChanged = (await write(join(folder, folderName, `${locale}.json`), value)) || isChanged;
  }
  return isChanged;
};
