import { mkdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileText, type JsonObject } from '../files/canonical.ts';
import type { Folder } from '../files/folders.ts';
import { readText } from '../files/read-json.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import { CommandProblem } from '../problem.ts';
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

const make = async (setting: Setting, word: string, key: string): Promise<void> => {
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
  const file = kind
    ? join(project.folder, kind.folder, `${key}.json`)
    : join(project.templates, key, templateFiles.template);
  if ((await readText(file)) !== undefined)
    throw new CommandProblem(`${file} is there already.`, 'Choose another key, or change the file.');
  const name = kind?.folder === 'schedules' ? {} : { name: nameOf(key) };
  await mkdir(dirname(file), { recursive: true });
  await writeAtomically(file, fileText({ ...name, ...(kind ? beginnings[kind.folder] : { blocks }) }));
  if (!kind) await writeAtomically(join(dirname(file), templateFiles.data), fileText(data));
  setting.show({ file }, () => `wrote ${relative(setting.terminal.folder, file)}`);
};

/** `stanza new`. */
export const addNew: AddCommand = (program, setting) =>
  program
    .command('new')
    .description('write the file of something new, to be changed')
    .argument('<kind>', words.join(', '))
    .argument('<key>', 'its key, which names the file')
    .action((kind: string, key: string) => make(setting(), kind, key));
