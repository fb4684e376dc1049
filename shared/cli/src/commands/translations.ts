import { resolve } from 'node:path';
import { isTranslations, readTranslationsCsv, translationsCsv, withCsvTexts } from '@stanza/engine';
import { isObject, isSame, type JsonObject } from '../files/canonical.ts';
import { readText } from '../files/read-json.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import { CommandProblem } from '../problem.ts';
import type { Setting } from '../setting.ts';
import { type LocalTemplate, readTemplates, writeTemplate } from '../templates/template-files.ts';
import type { AddCommand } from './command.ts';

const textsOf = ({ version }: LocalTemplate): JsonObject => {
  const texts = version.blocks.find(isTranslations)?.translations;
  return isObject(texts) ? texts : {};
};

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

const exportTo = async (setting: Setting, file: string, keys: readonly string[]): Promise<void> => {
  const project = await setting.project();
  const templates = [...(await readTemplates(project, keys)).values()]
    .map((it) => ({ template: it.key, translations: textsOf(it) }))
    .filter(({ translations }) => Object.keys(translations).length > 0);
  await writeAtomically(resolve(setting.terminal.folder, file), translationsCsv(templates));
  const written = templates.map(({ template }) => template);
  setting.show(
    { file, templates: written },
    () => `${file}: the texts of ${counted(written.length, 'template')}`,
  );
};

const withTexts = (template: LocalTemplate, translations: JsonObject): LocalTemplate => {
  const { blocks } = template.version;
  const entry = { type: 'directive', directive: '#translations', translations };
  const others = blocks.filter((block) => !isTranslations(block));
  return { ...template, version: { ...template.version, blocks: [...others, entry] } };
};

const importFrom = async (setting: Setting, file: string): Promise<void> => {
  const text = await readText(resolve(setting.terminal.folder, file));
  const wayOut = '`stanza translations export` writes such a file.';
  if (text === undefined) throw new CommandProblem(`There is no file ${file}.`, wayOut);
  const read = readTranslationsCsv(text);
  if (!read.ok) {
    throw new CommandProblem(`${file}, line ${read.line}: ${read.message}`, wayOut);
  }
  const project = await setting.project();
  const named = [...read.templates.keys()];
  const templates =
    named.length === 0 ? new Map<string, LocalTemplate>() : await readTemplates(project, named);
  const changed: string[] = [];
  for (const [key, template] of templates) {
    const before = textsOf(template);
    const after = withCsvTexts(before, read.templates.get(key) ?? []);
    if (isSame(before, after)) continue;
    await writeTemplate(project, key, withTexts(template, after), undefined);
    changed.push(key);
  }
  setting.show({ file, changed }, () =>
    changed.length === 0 ? 'nothing has changed' : `changed the texts of ${changed.join(', ')}`,
  );
};

/** `stanza translations`. */
export const addTranslations: AddCommand = (program, setting) => {
  const translations = program
    .command('translations')
    .description('the texts of all templates and languages as one table (CSV), for translators');
  translations
    .command('export')
    .description('write the texts of the files into a table')
    .argument('<file>', 'as translations.csv')
    .argument('[keys...]', 'templates; all where none is named')
    .action((file: string, keys: string[]) => exportTo(setting(), file, keys));
  translations
    .command('import')
    .description('put the texts of a table into the files; an empty cell takes its text out')
    .argument('<file>', 'one that `stanza translations export` has written')
    .action((file: string) => importFrom(setting(), file));
};
