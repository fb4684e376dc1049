import { resolve } from 'node:path';
import { isTranslations, readTranslationsCsv, translationsCsv, withCsvTexts } from '@stanza/engine';
import { isObject, isSame, type JsonObject } from '../files/canonical.ts';
import type { Project } from '../files/project.ts';
import { readText } from '../files/read-json.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import { CommandProblem } from '../problem.ts';
import { partials } from '../resources/partials.ts';
import { readResources, writeFileOf } from '../resources/resource-files.ts';
import { Variables } from '../resources/variables.ts';
import type { Setting } from '../setting.ts';
import { blocksIn } from '../templates/content.ts';
import { type LocalTemplate, readTemplates, writeTemplate } from '../templates/template-files.ts';
import type { AddCommand } from './command.ts';

type Blocks = LocalTemplate['version']['blocks'];

/** Whose texts a table has: a template, or a partial, which is named with its folder. */
interface Translated {
  readonly name: string;
  readonly blocks: Blocks;
  write(blocks: Blocks): Promise<unknown>;
}

const folderOfPartials = `${partials.folder}/`;

const textsOf = ({ blocks }: Translated): JsonObject => {
  const texts = blocks.find(isTranslations)?.translations;
  return isObject(texts) ? texts : {};
};

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

const templatesOf = async (project: Project, keys: readonly string[]): Promise<Translated[]> => {
  const templates = await readTemplates(project, keys);
  return [...templates].map(([name, template]) => ({
    name,
    blocks: template.version.blocks,
    write: (blocks) =>
      writeTemplate(project, name, { ...template, version: { ...template.version, blocks } }, undefined),
  }));
};

const partialsOf = async (project: Project): Promise<Translated[]> => {
  const resources = await readResources(project, new Variables({}));
  return [...resources.values()]
    .filter(({ kind }) => kind.folder === partials.folder)
    .map((partial): Translated => {
      const blocks = blocksIn(partial.written.blocks);
      if (!blocks) throw new CommandProblem(`${partial.ref}: ${partial.problem}`, 'Correct its file.');
      const write = (changed: Blocks) =>
        writeFileOf(project, partial, { ...partial.written, blocks: changed });
      return { name: partial.ref, blocks, write };
    });
};

/** Templates and partials by their names; all where none is named. */
const translatedOf = async (project: Project, names: readonly string[]): Promise<Translated[]> => {
  const [ofPartials = [], keys = []] = [true, false].map((isPartial) =>
    names.filter((name) => name.startsWith(folderOfPartials) === isPartial),
  );
  const templates = names.length > 0 && keys.length === 0 ? [] : await templatesOf(project, keys);
  if (names.length > 0 && ofPartials.length === 0) return templates;
  const found = await partialsOf(project);
  const missing = ofPartials.find((name) => !found.some((it) => it.name === name));
  if (missing !== undefined) {
    throw new CommandProblem(
      `There is no file of ${missing}.`,
      '`stanza pull` writes the files of partials.',
    );
  }
  return [...templates, ...found.filter(({ name }) => ofPartials.length === 0 || ofPartials.includes(name))];
};

const exportTo = async (setting: Setting, file: string, names: readonly string[]): Promise<void> => {
  const project = await setting.project();
  const all = (await translatedOf(project, names))
    .map((it) => ({ template: it.name, translations: textsOf(it) }))
    .filter(({ translations }) => Object.keys(translations).length > 0);
  // A table without a language has no column to write into, and cannot be read again.
  if (all.length === 0)
    throw new CommandProblem(
      'No template and no partial has texts in a language.',
      'Nothing was written. Put those of one into templates/<key>/translations/<locale>.json first.',
    );
  await writeAtomically(resolve(setting.terminal.folder, file), translationsCsv(all));
  const written = all.map(({ template }) => template);
  const isPartial = (name: string) => name.startsWith(folderOfPartials);
  const templates = written.filter((name) => !isPartial(name));
  const count = written.length - templates.length;
  const also = count === 0 ? '' : ` and ${counted(count, 'partial')}`;
  setting.show(
    { file, templates, ...(count > 0 && { partials: written.filter(isPartial) }) },
    () => `${file}: the texts of ${counted(templates.length, 'template')}${also}`,
  );
};

const withTexts = (blocks: Blocks, translations: JsonObject): Blocks => {
  const entry = { type: 'directive', directive: '#translations', translations };
  const at = blocks.findIndex(isTranslations);
  return at === -1 ? [...blocks, entry] : blocks.with(at, entry);
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
  const changed: string[] = [];
  for (const one of named.length === 0 ? [] : await translatedOf(project, named)) {
    const before = textsOf(one);
    const after = withCsvTexts(before, read.templates.get(one.name) ?? []);
    if (isSame(before, after)) continue;
    await one.write(withTexts(one.blocks, after));
    changed.push(one.name);
  }
  setting.show({ file, changed }, () =>
    changed.length === 0 ? 'nothing has changed' : `changed the texts of ${changed.join(', ')}`,
  );
};

/** `stanza translations`. */
export const addTranslations: AddCommand = (program, setting) => {
  const translations = program
    .command('translations')
    .description(
      'the texts of all templates and partials in all languages as one table (CSV), for translators',
    );
  translations
    .command('export')
    .description('write the texts of the files into a table')
    .argument('<file>', 'as translations.csv')
    .argument('[keys...]', 'templates, and partials as partials/footer; all where none is named')
    .action((file: string, keys: string[]) => exportTo(setting(), file, keys));
  translations
    .command('import')
    .description('put the texts of a table into the files; an empty cell takes its text out')
    .argument('<file>', 'one that `stanza translations export` has written')
    .action((file: string) => importFrom(setting(), file));
};
