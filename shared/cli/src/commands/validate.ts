import type { Project } from '../files/project.ts';
import { exitCodes } from '../problem.ts';
import { partials } from '../resources/partials.ts';
import { readResources } from '../resources/resource-files.ts';
import { Variables } from '../resources/variables.ts';
import type { Setting } from '../setting.ts';
import { compileTemplate, problemsOfBlocks, type Refused } from '../templates/compile.ts';
import { blocksIn } from '../templates/content.ts';
import { readPartials } from '../templates/partials.ts';
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

/** The files besides those of templates that cannot be pushed; none where templates are named. */
const wrongOthers = async (setting: Setting, project: Project): Promise<Validated[]> => {
  const resources = await readResources(project, new Variables(setting.terminal.env));
  const checked = [...resources.values()].map(async ({ ref, kind, problem, document }) => {
    const blocks = kind === partials ? blocksIn(document.blocks) : undefined;
    const problems =
      problem === undefined
        ? problemsOfBlocks(blocks ?? [], await readPartials(project, blocks ?? []))
        : [{ pointer: '', rule: 'file', message: problem }];
    return { key: ref, sampled: true, valid: problems.length === 0, problems, warnings: [] };
  });
  return (await Promise.all(checked)).filter(({ valid }) => !valid);
};

const validate = async (setting: Setting, keys: string[]): Promise<void> => {
  const project = await setting.project();
  const others = keys.length === 0 ? await wrongOthers(setting, project) : [];
  const templates = [...(await readTemplates(project, keys)).values()].map((it) =>
    validated(it, project.now),
  );
  const wrong = templates.filter(({ valid }) => !valid).length;
  const ofOthers = others.length > 0 ? `; ${others.length} other files with problems` : '';
  setting.show({ templates, others }, () =>
    [
      ...[...templates, ...others].flatMap((it) => linesOf(setting, it)),
      `${templates.length} templates, ${wrong === 0 ? 'all valid' : `${wrong} with problems`}${ofOthers}`,
    ].join('\n'),
  );
  if (wrong + others.length > 0) setting.end(exitCodes.failure);
};

/** `stanza validate`. */
export const addValidate: AddCommand = (program, setting) =>
  program
    .command('validate')
    .description('check the files, without a server: templates, partials, and what the others hold')
    .argument('[keys...]', 'templates; all where none is named')
    .action((keys: string[]) => validate(setting(), keys));
