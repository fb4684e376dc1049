import { diffBlocks } from '@stanza/engine/diff';
import { differences } from '../plan/differences.ts';
import type { PlannedTemplate } from '../plan/plan.ts';
import { CommandProblem } from '../problem.ts';
import type { Setting } from '../setting.ts';
import { blockDiffLines } from '../show/block-diff-lines.ts';
import type { DiffLine } from '../show/line-diff.ts';
import { aboutLines, textLines } from '../show/plan-text.ts';
import { aboutOf } from '../templates/content.ts';
import { findTemplate, findVersion, versionNumber } from '../templates/find-template.ts';
import { readNames } from '../templates/names.ts';
import { readVersion } from '../templates/remote.ts';
import { readTemplates } from '../templates/template-files.ts';
import type { AddCommand } from './command.ts';

type Different = Pick<PlannedTemplate, 'about' | 'blocks' | 'data_changed' | 'text'>;

/** A difference for people. */
export const differenceText = ({ style }: Setting, different: Different): string => {
  const paint = ({ kind, line }: DiffLine) => {
    if (kind === '+') return style.good(`+ ${line}`);
    return kind === '-' ? style.bad(`- ${line}`) : `  ${line}`;
  };
  const lines = [
    ...aboutLines(different),
    ...blockDiffLines(different.blocks ?? diffBlocks([], [])),
    ...textLines(different),
  ];
  return lines.length === 0 ? 'no difference' : lines.map(paint).join('\n');
};

/** What the files of a template differ in from its newest version, or one version from another one. */
const diff = async (
  setting: Setting,
  key: string,
  { version, against }: { version?: string; against?: string },
): Promise<void> => {
  const [project, stanza] = await Promise.all([setting.project(), setting.stanza()]);
  const [names, template] = await Promise.all([
    readNames(stanza, setting.terminal.note),
    findTemplate(stanza, key),
  ]);
  const numbered = async (word: string | undefined) => {
    const { id } = await findVersion(stanza, template, word === undefined ? undefined : versionNumber(word));
    return { about: aboutOf(template), version: await readVersion(stanza, names, template.id, id) };
  };
  const local = version === undefined ? (await readTemplates(project, [key])).get(key) : undefined;
  if (version === undefined && !local) throw new CommandProblem(`${key} has no files.`, 'Pull it first.');
  const different = differences(await numbered(against), local ?? (await numbered(version)), project.now);
  setting.show({ key, ...different }, () => differenceText(setting, different));
};

/** `stanza diff`. */
export const addDiff: AddCommand = (program, setting) =>
  program
    .command('diff')
    .description('show what differs: the files from the newest version, or one version from another')
    .argument('<key>', 'the template')
    .option('--version-number <number>', 'this version, in place of the files')
    .option('--against <number>', 'compare with this version, in place of the newest')
    .action(
      (key: string, { versionNumber: version, against }: { versionNumber?: string; against?: string }) =>
        diff(setting(), key, { ...(version && { version }), ...(against && { against }) }),
    );
