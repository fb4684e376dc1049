import { diffBlocks } from '@stanza/engine/diff';
import { isSame, type JsonObject } from '../files/canonical.ts';
import type { Project } from '../files/project.ts';
import { exitCodes } from '../problem.ts';
import type { Setting } from '../setting.ts';
import { blockDiffLines } from '../show/block-diff-lines.ts';
import { compileTemplate } from '../templates/compile.ts';
import { blocksIn } from '../templates/content.ts';
import { type LocalTemplate, readTemplates, writeExpected } from '../templates/template-files.ts';
import type { AddCommand } from './command.ts';

/** What a golden test came to. */
interface Tested {
  readonly key: string;
  readonly outcome: 'passed' | 'failed' | 'updated';
  /** What is different, or what keeps it from compiling. */
  readonly differences: readonly string[];
}

const differencesOf = (expected: JsonObject, output: JsonObject): string[] => {
  const diff = diffBlocks(blocksIn(expected.blocks) ?? [], blocksIn(output.blocks) ?? []);
  const others = ['text', 'metadata'].flatMap((name) =>
    isSame(expected[name] ?? null, output[name] ?? null)
      ? []
      : [`- /${name} ${JSON.stringify(expected[name])}`, `+ /${name} ${JSON.stringify(output[name])}`],
  );
  return [...blockDiffLines(diff).map(({ kind, line }) => `${kind} ${line}`), ...others];
};

const tested = async (project: Project, template: LocalTemplate, updates: boolean): Promise<Tested> => {
  const { key, expected } = template;
  const compiled = compileTemplate(template, project.now);
  if (!compiled.ok) {
    const differences = compiled.problems.map((it) => `${it.pointer}: ${it.rule}: ${it.message}`);
    return { key, outcome: 'failed', differences };
  }
  if (updates) {
    const isWritten = await writeExpected(project, key, compiled.output);
    return { key, outcome: isWritten ? 'updated' : 'passed', differences: [] };
  }
  if (expected === undefined)
    return {
      key,
      outcome: 'failed',
      differences: ['there is no expected.json: `stanza test --update` writes it'],
    };
  const isPassed = isSame(expected, compiled.output);
  return {
    key,
    outcome: isPassed ? 'passed' : 'failed',
    differences: isPassed ? [] : differencesOf(expected, compiled.output),
  };
};

const textOf = ({ style }: Setting, { key, outcome, differences }: Tested): string[] => {
  if (outcome === 'passed') return [];
  const paint = (line: string) => {
    if (line.startsWith('+')) return style.good(line);
    return line.startsWith('-') ? style.bad(line) : line;
  };
  const head = outcome === 'updated' ? style.changed(`${key}: updated`) : style.bad(`${key}: failed`);
  return [head, ...differences.map((line) => `  ${paint(line)}`)];
};

const test = async (setting: Setting, keys: string[], updates: boolean): Promise<void> => {
  const project = await setting.project();
  const templates = [...(await readTemplates(project, keys)).values()];
  const results: Tested[] = [];
  for (const template of templates) results.push(await tested(project, template, updates));
  const failed = results.filter(({ outcome }) => outcome === 'failed').length;
  setting.show({ templates: results }, () =>
    [
      ...results.flatMap((it) => textOf(setting, it)),
      `${results.length} templates, ${failed === 0 ? 'all as expected' : `${failed} not as expected`}`,
    ].join('\n'),
  );
  if (failed > 0) setting.end(exitCodes.failure);
};

/** `stanza test`. */
export const addTest: AddCommand = (program, setting) =>
  program
    .command('test')
    .description('compare what the templates make of their data with expected.json, without a server')
    .argument('[keys...]', 'templates; all where none is named')
    .option('--update', 'write what comes out now', false)
    .action((keys: string[], { update }: { update: boolean }) => test(setting(), keys, update));
