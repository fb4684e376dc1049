import { resolve } from 'node:path';
import { dataType } from '@stanza/engine/data-type';
import type { Stanza, Template } from '@stanza/sdk';
import { readText } from '../files/read-json.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import { exitCodes } from '../problem.ts';
import type { Setting } from '../setting.ts';
import { forEach } from '../templates/remote.ts';
import { type TypedTemplate, templatesModule } from '../templates-module.ts';
import type { AddCommand } from './command.ts';

interface Options {
  /** The file of the module. */
  out: string;
  /** Compare it, and write nothing. */
  check: boolean;
}

const typed = async (stanza: Stanza, { id, key, description }: Template): Promise<TypedTemplate> => {
  const { json_schema } = await stanza.templates.inputSchema.get(id);
  return { key, description, dataType: dataType(json_schema) };
};

/** The module of every template that has a live version. */
const currentModule = async (stanza: Stanza): Promise<string> => {
  const live: Template[] = [];
  for await (const template of stanza.templates.list({ lifecycle: 'active', live: 'true' }))
    live.push(template);
  const templates = await forEach(live, (template) => typed(stanza, template));
  return templatesModule(templates);
};

/** Writes the module of types for the live versions of templates, or says whether it is still what they are. */
const writeTypes = async (setting: Setting, { out, check }: Options): Promise<void> => {
  const file = resolve(setting.terminal.folder, out);
  const [current, written] = await Promise.all([currentModule(await setting.stanza()), readText(file)]);
  // A checkout on Windows may have other line ends.
  const isCurrent = current === written?.replaceAll('\r\n', '\n');
  if (!isCurrent && !check) await writeAtomically(file, current);
  const { note } = setting.terminal;
  if (isCurrent) note(`${out} is up to date`);
  else if (check) note(`${out} is not what the live versions are: run \`stanza types\` and compile again`);
  else note(`wrote ${out}`);
  if (!isCurrent && check) setting.end(exitCodes.changes);
  if (setting.options.json)
    setting.show({ file, current: isCurrent, written: !isCurrent && !check }, () => '');
};

/** `stanza types`. */
export const addTypes: AddCommand = (program, setting) =>
  program
    .command('types')
    .description('write the types of the data of live templates, for the SDK')
    .option('--out <file>', 'the file', 'stanza-templates.d.ts')
    .option('--check', 'write nothing; exit with 2 when the file is not what the live versions are', false)
    .action((options: Options) => writeTypes(setting(), options));
