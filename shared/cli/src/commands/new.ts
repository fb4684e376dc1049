import { mkdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { nearestName } from '@stanza/engine';
import { fileText, isObject, type JsonObject } from '../files/canonical.ts';
import type { Folder } from '../files/folders.ts';
import { readText } from '../files/read-json.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import { gallery } from '../gallery.ts';
import { CommandProblem } from '../problem.ts';
import { type Kind, objectAt } from '../resources/kind.ts';
import { allKinds } from '../resources/kinds.ts';
import type { Setting } from '../setting.ts';
import { isKey, templateFiles } from '../templates/template-files.ts';
import type { AddCommand } from './command.ts';

const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: 'Hello {{name}}' } }];
const data = { name: 'Ada' };

/** What each kind begins with. */
const beginnings: Readonly<Record<Folder, JsonObject>> = {
  entities: { fields: [{ name: 'id', type: 'string', required: true }] },
  destinations: { url: 'https://example.com/hooks/stanza', retry_enabled: true },
  partials: { blocks, data },
  modals: { title: 'A form', blocks, data },
  queues: { mode: 'fixed_volume', threshold: 10, template: 'deploy-alert', channel_id: 'C0DEPLOYS' },
  schedules: { template: 'deploy-alert', channel_id: 'C0DEPLOYS', cron: '0 9 * * 1-5', data },
};

const nameOf = (key: string): string => `${key.charAt(0).toUpperCase()}${key.slice(1)}`.replaceAll('-', ' ');

const words = ['template', ...allKinds.map(({ word }) => word)];

/** What a file begins with, and the data next to it. */
interface Beginning {
  readonly file: JsonObject;
  readonly data: JsonObject;
}

const plainBeginning = (kind: Kind | undefined, key: string): Beginning => {
  const name = kind?.folder === 'schedules' ? {} : { name: nameOf(key) };
  return { file: { ...name, ...(kind ? beginnings[kind.folder] : { blocks }) }, data };
};

/** A template or a modal of the gallery; under another key it has a name of its own. */
const exhibit = (kind: Kind | undefined, key: string, galleryName: string): Beginning => {
  const all: unknown = JSON.parse(gallery);
  const word = kind === undefined ? 'message' : 'modal';
  const names = Object.entries(objectAt(all)).filter(([, one]) => objectAt(one).kind === word);
  const found = objectAt(names.find(([name]) => name === galleryName)?.[1]);
  if (kind !== undefined && kind.folder !== 'modals')
    throw new CommandProblem(`The gallery has no ${kind.folder}.`, 'It has templates and modals.');
  if (!isObject(found.source)) {
    const known = names.map(([name]) => name);
    const near = nearestName(galleryName, known);
    throw new CommandProblem(
      `The gallery has no ${kind?.word ?? 'template'} ${galleryName}${near ? `; did you mean ${near}?` : '.'}`,
      `It has ${known.join(', ')}.`,
    );
  }
  const shown = objectAt(found.data);
  const source = key === galleryName ? found.source : { ...found.source, name: nameOf(key) };
  return { file: kind ? kind.normal({ ...source, data: shown }) : source, data: shown };
};

const make = async (setting: Setting, word: string, key: string, from: string | undefined): Promise<void> => {
  if (!isKey(key))
    throw new CommandProblem(`${key} is no key.`, 'Write lower-case letters, digits and hyphens.');
  const project = await setting.project();
  const kind = allKinds.find((it) => it.word === word);
  if (!kind && word !== 'template')
    throw new CommandProblem(`There is no kind ${word}.`, `Name one of ${words.join(', ')}.`);
  if (kind && !project.kinds.includes(kind.folder))
    throw new CommandProblem(
      `The project has no ${kind.folder} as files.`,
      'Add them to `kinds` in stanza.json.',
    );
  const beginning = from === undefined ? plainBeginning(kind, key) : exhibit(kind, key, from);
  const file = kind
    ? join(project.folder, kind.folder, `${key}.json`)
    : join(project.templates, key, templateFiles.template);
  if ((await readText(file)) !== undefined)
    throw new CommandProblem(`${file} is there already.`, 'Choose another key, or change the file.');
  await mkdir(dirname(file), { recursive: true });
  await writeAtomically(file, fileText(beginning.file));
  if (!kind) await writeAtomically(join(dirname(file), templateFiles.data), fileText(beginning.data));
  const more = kind ? '' : ` and ${templateFiles.data}`;
  setting.show({ file }, () => `wrote ${relative(setting.terminal.folder, file)}${more}`);
};

/** `stanza new`. */
export const addNew: AddCommand = (program, setting) =>
  program
    .command('new')
    .description('write the file of something new, to be changed')
    .argument('<kind>', words.join(', '))
    .argument('<key>', 'its key, which names the file')
    .option('--from <exhibit>', 'a template or a modal of the gallery, such as deploy-alert')
    .action((kind: string, key: string, { from }: { from?: string }) => make(setting(), kind, key, from));
