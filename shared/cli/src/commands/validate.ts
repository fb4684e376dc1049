import type { Project } from '../files/project.ts';
import { CommandProblem, exitCodes } from '../problem.ts';
import type { LocalResource } from '../resources/kind.ts';
import { modals, problemsOfModal } from '../resources/modals.ts';
import { partials } from '../resources/partials.ts';
import { readResources } from '../resources/resource-files.ts';
import { Variables } from '../resources/variables.ts';
import { nameOf, refIn } from '../resources/wanted.ts';
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

/** What is wrong with a file of another kind. */
const problemsOf = async (
  project: Project,
  { kind, problem, document }: LocalResource,
): Promise<Refused['problems']> => {
  if (problem !== undefined) return [{ pointer: '', rule: 'file', message: problem }];
  if (kind === modals) return problemsOfModal(document, project.now);
  const blocks = kind === partials ? (blocksIn(document.blocks) ?? []) : [];
  return problemsOfBlocks(blocks, await readPartials(project, blocks));
};

/** The files besides those of templates that cannot be pushed: all of them, or those that are named. */
const wrongOthers = async (setting: Setting, project: Project, wanted: string[]): Promise<Validated[]> => {
  const resources = await readResources(project, new Variables(setting.terminal.env));
  const missing = wanted.find((ref) => !resources.has(ref));
  if (missing !== undefined)
    throw new CommandProblem(
      `There is no ${nameOf(missing)} in ${project.folder}.`,
      'Name the file by its folder and key, as partials/footer.',
    );
  const checked = [...resources.values()]
    .filter(({ ref }) => wanted.length === 0 || wanted.includes(ref))
    .map(async (resource) => {
      const problems = await problemsOf(project, resource);
      return { key: resource.ref, sampled: true, valid: problems.length === 0, problems, warnings: [] };
    });
  return (await Promise.all(checked)).filter(({ valid }) => !valid);
};

const validate = async (setting: Setting, words: string[]): Promise<void> => {
  const project = await setting.project();
  const named = words.map(refIn);
  const [refs, keys] = [named.filter((it) => it.includes('/')), named.filter((it) => !it.includes('/'))];
  const isAll = named.length === 0;
  const others = isAll || refs.length > 0 ? await wrongOthers(setting, project, refs) : [];
  const found = isAll || keys.length > 0 ? [...(await readTemplates(project, keys)).values()] : [];
  const templates = found.map((it) => validated(it, project.now));
  const wrong = templates.filter(({ valid }) => !valid).length;
  const ofOthers = others.length > 0 ? `${others.length} other files with problems` : '';
  const ofTemplates = `${templates.length} templates, ${wrong === 0 ? 'all valid' : `${wrong} with problems`}`;
  const summary = isAll || keys.length > 0 ? [ofTemplates, ofOthers] : [ofOthers || 'all valid'];
  setting.show({ templates, others }, () =>
    [
      ...[...templates, ...others].flatMap((it) => linesOf(setting, it)),
      summary.filter((it) => it !== '').join('; '),
    ].join('\n'),
  );
  if (wrong + others.length > 0) setting.end(exitCodes.failure);
};

/** `stanza validate`. */
export const addValidate: AddCommand = (program, setting) =>
  program
    .command('validate')
    .description('check the files, without a server: templates, partials, modals, and what the others hold')
    .argument('[keys...]', 'templates by key, others as partials/<key>; all where none is named')
    .action((keys: string[]) => validate(setting(), keys));
