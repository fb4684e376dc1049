import { exitCodes } from '../problem.ts';
import type { Setting } from '../setting.ts';
import { compileTemplate, type Refused } from '../templates/compile.ts';
import { type LocalTemplate, readTemplates } from '../templates/template-files.ts';
import type { AddCommand } from './command.ts';

/** What the engine says of a template. */
interface Validated {
  readonly key: string;
  readonly valid: boolean;
  readonly problems: Refused['problems'];
  readonly warnings: readonly string[];
  /** Whether it has data to be tried with. */
  readonly sampled: boolean;
}

const validated = (template: LocalTemplate, now: Date): Validated => {
  const compiled = compileTemplate(template, now);
  const { key } = template;
  const sampled = Object.keys(template.version.data).length > 0;
  return compiled.ok
    ? { key, sampled, valid: true, problems: [], warnings: compiled.warnings }
    : { key, sampled, valid: false, problems: compiled.problems, warnings: [] };
};

/** Warnings for people: of a template without data one line, as every value is missing. */
const warningLines = ({ key, warnings, sampled }: Validated): string[] =>
  sampled || warnings.length < 2
    ? warnings.map((warning) => `${key}: ${warning}`)
    : [`${key}: ${warnings.length} warnings, as there is no data to try it with in data.json`];

const linesOf = ({ style }: Setting, one: Validated): string[] => [
  ...one.problems.map(({ pointer, rule, message, hint }) =>
    style.bad(`${one.key}${pointer}: ${rule}: ${message}${hint ? ` (${hint})` : ''}`),
  ),
  ...warningLines(one).map((line) => style.changed(line)),
];

const validate = async (setting: Setting, keys: string[]): Promise<void> => {
  const project = await setting.project();
  const templates = [...(await readTemplates(project, keys)).values()].map((it) =>
    validated(it, project.now),
  );
  const wrong = templates.filter(({ valid }) => !valid).length;
  setting.show({ templates }, () =>
    [
      ...templates.flatMap((it) => linesOf(setting, it)),
      `${templates.length} templates, ${wrong === 0 ? 'all valid' : `${wrong} with problems`}`,
    ].join('\n'),
  );
  if (wrong > 0) setting.end(exitCodes.failure);
};

/** `stanza validate`. */
export const addValidate: AddCommand = (program, setting) =>
  program
    .command('validate')
    .description('check the templates in the files, without a server')
    .argument('[keys...]', 'templates; all where none is named')
    .action((keys: string[]) => validate(setting(), keys));
