import { resolve } from 'node:path';
import { isObject, type JsonObject } from '../files/canonical.ts';
import { parseJson } from '../files/json-text.ts';
import { readJson } from '../files/read-json.ts';
import { messageLines } from '../plan/message-lines.ts';
import { CommandProblem, exitCodes } from '../problem.ts';
import type { Setting } from '../setting.ts';
import { compileTemplate } from '../templates/compile.ts';
import { readTemplates } from '../templates/template-files.ts';
import type { AddCommand } from './command.ts';

/** The data in a file that a person has named, or what is given to the command where that is called `-`. */
export const readData = async (setting: Setting, file: string): Promise<JsonObject> => {
  const { terminal } = setting;
  const isGiven = file === '-';
  const name = isGiven ? 'the standard input' : file;
  const read = isGiven
    ? parseJson(await terminal.input(), name)
    : await readJson(resolve(terminal.folder, file));
  if (isObject(read)) return read;
  throw new CommandProblem(
    read === undefined ? `There is no ${file}.` : `${name} is no object.`,
    'Name a file of JSON with the data in braces.',
  );
};

const preview = async (setting: Setting, key: string, file: string | undefined): Promise<void> => {
  const project = await setting.project();
  const template = (await readTemplates(project, [key])).get(key);
  if (!template) throw new CommandProblem(`There is no template ${key}.`, 'Name it by its folder.');
  const data = file === undefined ? template.version.data : await readData(setting, file);
  const compiled = compileTemplate(template, project.now, data);
  const { style, terminal } = setting;
  if (!compiled.ok) {
    setting.show({ valid: false, problems: compiled.problems }, () =>
      compiled.problems.map((it) => style.bad(`${key}${it.pointer}: ${it.message}`)).join('\n'),
    );
    return setting.end(exitCodes.failure);
  }
  if (!setting.options.json) for (const warning of compiled.warnings) terminal.note(style.changed(warning));
  setting.show({ valid: true, ...compiled.output, warnings: compiled.warnings }, () =>
    [style.faint(compiled.text), '', ...messageLines(compiled.blocks)].join('\n'),
  );
};

/** `stanza preview`. */
export const addPreview: AddCommand = (program, setting) =>
  program
    .command('preview')
    .description('show what a template in the files makes of its data, without a server')
    .argument('<key>', 'the template')
    .option('--data <file>', 'other data than that of the folder; - reads the standard input')
    .action((key: string, { data }: { data?: string }) => preview(setting(), key, data));
