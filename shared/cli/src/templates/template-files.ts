import type { Dirent } from 'node:fs';
import { mkdir, readdir, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { nearestName } from '@stanza/engine';
import { fileText, isObject, isSame, type JsonObject } from '../files/canonical.ts';
import type { Project } from '../files/project.ts';
import { entriesOf, isMissing, readJson, unlessBroken } from '../files/read-json.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import { CommandProblem } from '../problem.ts';
import { type About, aboutTexts, blocksIn, type TemplateContent } from './content.ts';
import { readPartials } from './partials.ts';
import { withoutTexts, withTexts, writeTexts } from './translation-files.ts';

/** The files of a template. */
export const templateFiles = {
  template: 'template.json',
  data: 'data.json',
  expected: 'expected.json',
} as const;

/** A template as it stands in its folder. */
export interface LocalTemplate extends TemplateContent {
  readonly key: string;
  /** What it is expected to come out as with its data; undefined where nothing was written down. */
  readonly expected: JsonObject | undefined;
}

/** Whether a text may be a key, which never looks like an id; nothing else becomes the name of a folder. */
export const isKey = (text: string): boolean =>
  /^(?![\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$)[a-z\d](?:[a-z\d-]{0,98}[a-z\d])?$/.test(text);

/** The folder of a template has the name of its key, which is unique in an environment. */
const fileOf = ({ templates }: Project, key: string, file: string): string => join(templates, key, file);

const known = [...aboutTexts, 'strict', 'entity', 'blocks'];

const aboutIn = (read: JsonObject, wrong: (what: string) => CommandProblem): About => {
  for (const key of Object.keys(read)) {
    if (known.includes(key)) continue;
    const near = nearestName(key, known);
    throw wrong(`has no \`${key}\`${near ? `; did you mean \`${near}\`?` : ''}`);
  }
  const texts = aboutTexts.flatMap((name): [string, string][] => {
    const value = read[name];
    if (value === undefined || value === null || value === '') return [];
    if (typeof value !== 'string') throw wrong(`\`${name}\` is to be a text`);
    return name === 'type' && value === 'message' ? [] : [[name, value]];
  });
  const { name, strict } = read;
  if (typeof name !== 'string' || name.trim() === '') throw wrong('needs a `name`');
  if (strict !== undefined && typeof strict !== 'boolean') throw wrong('`strict` is to be true or false');
  return { name, ...Object.fromEntries(texts), ...(strict && { strict }) };
};

const objectIn = async (file: string): Promise<JsonObject | undefined> => {
  const read = await readJson(file);
  if (read === undefined || isObject(read)) return read;
  throw new CommandProblem(`${file} is no object.`, 'Write one in braces.');
};

/** Reads the folder of a template; undefined where it has no template. */
export const readTemplate = async (project: Project, key: string): Promise<LocalTemplate | undefined> => {
  const file = fileOf(project, key, templateFiles.template);
  const read = await objectIn(file);
  if (read === undefined) return undefined;
  const wrong = (what: string) =>
    new CommandProblem(`${file} ${what}`, 'docs/cli.md shows what a template file holds.');
  if (!isKey(key))
    throw new CommandProblem(
      `${join(project.templates, key)} is named by no key.`,
      'Name the folder with lower-case letters, digits and hyphens.',
    );
  const about = aboutIn(read, wrong);
  const { entity } = read;
  if (entity !== undefined && typeof entity !== 'string')
    throw wrong('`entity` is to be the key of an entity');
  const written = blocksIn(read.blocks);
  if (!written) throw wrong('`blocks` is to be a list of blocks, each an object with a `type`');
  const blocks = await withTexts(join(project.templates, key), written);
  const data = (await objectIn(fileOf(project, key, templateFiles.data))) ?? {};
  const expected = await objectIn(fileOf(project, key, templateFiles.expected));
  const partials = await readPartials(project, blocks);
  const version = { ...(entity !== undefined && { entity }), blocks, data };
  return { key, about, version, expected, ...(partials.size > 0 && { partials }) };
};

/** Whether an entry is a folder, or a link to one. */
const isFolder = async (path: string, entry: Dirent): Promise<boolean> => {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new CommandProblem(`${path} is a link that leads nowhere.`, 'Correct the link, or delete it.');
  }
};

/** The folders of templates. What has the name of one is listed too, so that it does not count as gone. */
const foldersOf = async ({ templates }: Project): Promise<string[]> => {
  const names: string[] = [];
  for (const entry of await entriesOf(templates))
    if ((await isFolder(join(templates, entry.name), entry)) || isKey(entry.name)) names.push(entry.name);
  return names;
};

/** A folder without its file would count as a template that is gone, which a push can archive. */
const withoutTemplate = async (project: Project, folder: string): Promise<CommandProblem> => {
  const path = join(project.templates, folder);
  const near = (await entriesOf(path)).find(({ name }) => /^template\.\w+$/i.test(name))?.name;
  return new CommandProblem(
    `${path} has no ${templateFiles.template}${near ? `, but ${near}` : ''}.`,
    near
      ? `Name the file ${templateFiles.template}; it holds JSON.`
      : 'Write the file, or delete the folder.',
  );
};

const nothing = (project: Project, key: string, keys: readonly string[]): CommandProblem => {
  const near = nearestName(key, keys);
  return new CommandProblem(
    `There is no template ${key} in ${project.templates}${near ? `; did you mean ${near}?` : '.'}`,
    'The name of the folder is the key.',
  );
};

/** What of the folders is read. */
interface Wanted {
  readonly isWanted?: (key: string) => boolean;
  /** Keys whose files are to be overwritten: where they cannot be read, they count as not there. */
  readonly overwritten?: readonly string[];
}

/** The templates of a project by key, and the names of all their folders. A broken file of another one is in no way. */
export const readFolders = async (
  project: Project,
  { isWanted = () => true, overwritten = [] }: Wanted = {},
): Promise<{ templates: Map<string, LocalTemplate>; folders: string[] }> => {
  const folders = await foldersOf(project);
  const read = folders.filter(isWanted).map(async (folder) => {
    const isOverwritten = overwritten.includes(folder);
    const template = await unlessBroken(isOverwritten, () => readTemplate(project, folder));
    if (template) return [[folder, template] as const];
    if (isOverwritten) return [];
    throw await withoutTemplate(project, folder);
  });
  return { templates: new Map((await Promise.all(read)).flat()), folders };
};

/** The templates of a project by key: all of them, or those that are named. */
export const readTemplates = async (
  project: Project,
  wanted: readonly string[] = [],
): Promise<Map<string, LocalTemplate>> => {
  const isWanted = (key: string) => wanted.length === 0 || wanted.includes(key);
  const { templates, folders } = await readFolders(project, { isWanted });
  const missing = wanted.find((key) => !templates.has(key));
  if (missing !== undefined) throw nothing(project, missing, folders);
  return templates;
};

/** Writes a file of JSON where what it holds is something else; how people have laid it out stays. */
const writeJson = async (file: string, value: JsonObject): Promise<boolean> => {
  // A file that is written was read before, but where what is broken is to be overwritten.
  const before = await unlessBroken(true, () => readJson(file));
  if (before !== undefined && isSame(before, value)) return false;
  await writeAtomically(file, fileText(value));
  return true;
};

/** What `template.json` holds. */
export const templateJson = ({ about, version }: TemplateContent): JsonObject => {
  const { name, strict, ...others } = about;
  return {
    name,
    ...others,
    ...(strict && { strict }),
    ...(version.entity !== undefined && { entity: version.entity }),
    blocks: version.blocks,
  };
};

/** Writes a template into its folder. @returns whether a file has changed */
export const writeTemplate = async (
  project: Project,
  key: string,
  content: TemplateContent,
  expected: JsonObject | undefined,
): Promise<boolean> => {
  if (!isKey(key))
    throw new CommandProblem(
      `The API names a template ${JSON.stringify(key)}.`,
      'No folder can have that name.',
    );
  await mkdir(join(project.templates, key), { recursive: true });
  const file = (name: keyof typeof templateFiles) => fileOf(project, key, templateFiles[name]);
  const { blocks, texts } = withoutTexts(content.version.blocks);
  const withoutThem = { ...content, version: { ...content.version, blocks } };
  const changed = [
    await writeJson(file('template'), templateJson(withoutThem)),
    await writeTexts(join(project.templates, key), texts, writeJson),
    await writeJson(file('data'), content.version.data),
  ];
  if (expected) changed.push(await writeJson(file('expected'), expected));
  return changed.includes(true);
};

/** Writes what a template is expected to come out as. @returns whether the file has changed */
export const writeExpected = (project: Project, key: string, expected: JsonObject): Promise<boolean> =>
  writeJson(fileOf(project, key, templateFiles.expected), expected);

/** Removes the files of a template, and its folder where nothing else lies in it. */
export const removeTemplate = async (project: Project, key: string): Promise<void> => {
  for (const file of Object.values(templateFiles)) await rm(fileOf(project, key, file), { force: true });
  const folder = join(project.templates, key);
  await writeTexts(folder, {}, writeJson);
  if ((await readdir(folder)).length === 0) await rmdir(folder);
};
