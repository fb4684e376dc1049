import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser';
import { parse } from 'yaml';
import { z } from 'zod';
import { read, root } from './files.ts';

/** The workflows of the project. */
export const workflowFiles = (): string[] => globSync('.github/workflows/*.yml', { cwd: root }).sort();

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const job = z.object({
  permissions: z.record(z.string(), z.enum(['read', 'write', 'none'])).optional(),
  'timeout-minutes': z.union([z.number(), z.string()]).optional(),
  uses: z.string().optional(),
  strategy: z.object({ matrix: z.object({ include: z.array(z.record(z.string(), scalar)) }) }).optional(),
  steps: z.array(z.object({ uses: z.string().optional(), run: z.string().optional() })).default([]),
});
const workflow = z.object({
  permissions: z.record(z.string(), z.string()).optional(),
  concurrency: z.object({ group: z.string() }).optional(),
  jobs: z.record(z.string(), job),
});

type Job = z.infer<typeof job>;

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(read('package.json')));

/** Every combination that a job runs with; one without values where it has no matrix. */
const combinations = ({ strategy }: Job): Record<string, z.infer<typeof scalar>>[] =>
  strategy?.matrix.include ?? [{}];

const resolve = (text: string, values: Record<string, z.infer<typeof scalar>>): string =>
  text.replaceAll(/\$\{\{ matrix\.(\w+) \}\}/g, (_, name: string) => String(values[name]));

const commandsOf = (it: Job): string[] =>
  it.steps.flatMap(({ run }) =>
    run === undefined ? [] : combinations(it).map((values) => resolve(run, values)),
  );

/** The words of every `npm test -- …` of a workflow: the levels that it runs. */
export const levelsOf = (text: string): string[] =>
  Object.values(workflow.parse(parse(text)).jobs)
    .flatMap(commandsOf)
    .flatMap((command) => [...command.matchAll(/\bnpm test -- ([\w -]+)/g)])
    .flatMap(([, words = '']) => words.trim().split(' '));

const limitProblems = (name: string, it: Job): string[] => {
  if (it.uses !== undefined) {
    const isThere = it.uses.startsWith('./') && existsSync(join(root, it.uses));
    return isThere ? [] : [`${name} calls ${it.uses}, which is not a workflow of this repository`];
  }
  const limits = combinations(it).map((values) => Number(resolve(String(it['timeout-minutes']), values)));
  return limits.every((minutes) => minutes > 0) ? [] : [`${name} has no time limit`];
};

const commandProblems = (name: string, it: Job): string[] =>
  commandsOf(it).flatMap((command) => [
    ...[...command.matchAll(/\bnpm run ([\w:]+)/g)]
      .filter(([, script = '']) => !(script in scripts))
      .map(([whole]) => `${name} runs "${whole}", which package.json does not have`),
    ...[...command.matchAll(/\bnode ([\w./-]+)/g)]
      .filter(([, file = '']) => !existsSync(join(root, file)))
      .map(([whole]) => `${name} runs "${whole}", which does not exist`),
    // A name of a branch or a title can hold commands of a shell: it belongs into a variable.
    ...(/\$\{\{ *(?:github|inputs)\./.test(command)
      ? [`${name} writes an expression of others into a shell`]
      : []),
  ]);

const pinned = /^ *(?:- )?uses: (?:\.\/\S+|[\w-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/;

/** What the schema of workflows and the rules of this repository find wrong with a workflow. */
export const problemsOf = async (file: string, text: string): Promise<string[]> => {
  const { context, value } = parseWorkflow({ name: file, content: text }, new NoOperationTraceWriter());
  if (value) await convertWorkflowTemplate(context, value);
  const errors = context.errors.getErrors().map(({ message }) => message);
  if (errors.length > 0) return errors;
  const { jobs, permissions, concurrency } = workflow.parse(parse(text));
  const floating = text.split('\n').filter((line) => /^ *(?:- )?uses: /.test(line) && !pinned.test(line));
  return [
    ...(permissions && Object.keys(permissions).length === 0 ? [] : ['jobs have permissions by default']),
    ...(concurrency ? [] : ['there is no concurrency group']),
    ...floating.map((line) => `an action is not pinned to a commit and its version: ${line.trim()}`),
    ...Object.entries(jobs).flatMap(([name, it]) => [
      ...(it.permissions ? [] : [`${name} says no permissions`]),
      ...limitProblems(name, it),
      ...commandProblems(name, it),
    ]),
  ];
};
