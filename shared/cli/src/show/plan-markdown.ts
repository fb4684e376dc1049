import {
  breaksOf,
  breakText,
  type Plan,
  type Planned,
  proposalText,
  refusalText,
  removalText,
} from '../plan/plan.ts';
import { blockDiffLines } from './block-diff-lines.ts';
import type { DiffLine } from './line-diff.ts';
import {
  aboutLines,
  impactLines,
  noteLines,
  type Shown,
  shownIn,
  statusWords,
  summaryOf,
  textLines,
} from './plan-text.ts';

/** Text of a template must not end the code that shows it, nor become markup outside of it. */
const escaped = (text: string): string =>
  text.replaceAll(/[\\`*_{}[\]<>|]/g, (character) => `\\${character}`).replaceAll(/\s+/g, ' ');

const fenceFor = (lines: readonly string[]): string => {
  const longest = Math.max(0, ...lines.flatMap((line) => (line.match(/`+/g) ?? []).map((run) => run.length)));
  return '`'.repeat(Math.max(3, longest + 1));
};

const diffBlock = (lines: readonly DiffLine[]): string[] => {
  if (lines.length === 0) return [];
  const text = lines.map(({ kind, line }) => `${kind} ${line}`);
  const fence = fenceFor(text);
  return [`${fence}diff`, ...text, fence, ''];
};

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length > 0 ? [`**${title}**`, '', ...lines] : [];

const detailsOf = (planned: Shown): string[] => {
  const impact = impactLines(planned).map((line) => `- ${escaped(line)}`);
  const notes = noteLines(planned).map((line) => `- ${escaped(line)}`);
  const problems = planned.problems.map((line) => `- ${escaped(line)}`);
  const lines = [
    ...section('Metadata', diffBlock(aboutLines(planned))),
    ...section('Blocks', diffBlock(planned.blocks ? blockDiffLines(planned.blocks) : [])),
    ...section('Message', diffBlock(textLines(planned))),
    ...section('Impact', impact.length > 0 ? [...impact, ''] : []),
    ...section('Notes', notes.length > 0 ? [...notes, ''] : []),
    ...section('Problems', problems.length > 0 ? [...problems, ''] : []),
  ];
  if (lines.length === 0) return [];
  return [`<details><summary><code>${planned.key}</code></summary>`, '', ...lines, '</details>', ''];
};

const rowOf = ({ key, status, why, actions }: Planned): string =>
  `| \`${key}\` | ${statusWords[status]}${why ? `: ${escaped(why)}` : ''} | ${actions.join(', ') || 'nothing'} |`;

/** A plan as a comment on a pull request. */
export const planMarkdown = (plan: Plan): string => {
  const shown = shownIn(plan);
  const breaks = breaksOf(plan);
  const removal = removalText(plan);
  const refusal = refusalText(plan);
  return [
    `### ${plan.resources.length === 0 ? 'Templates' : 'Plan'}: ${summaryOf(plan)}`,
    '',
    `${escaped(plan.environment_name)} of ${escaped(plan.organization_name)}`,
    '',
    ...(shown.length > 0
      ? ['| what | status | a push does |', '|---|---|---|', ...shown.map(rowOf), '']
      : []),
    ...(removal === undefined ? [] : [`**A push of this ${escaped(removal)}.**`, '']),
    ...(refusal === undefined ? [] : [`**A push ${escaped(refusal)}.**`, '']),
    ...section(
      'Stored data breaks',
      breaks.length > 0 ? [...breaks.map((it) => `- ${escaped(breakText(it))}`), ''] : [],
    ),
    ...section(
      'Open proposals',
      plan.proposals.length > 0
        ? [...plan.proposals.map((it) => `- ${escaped(proposalText(plan, it))}`), '']
        : [],
    ),
    ...shown.flatMap(detailsOf),
  ]
    .join('\n')
    .trimEnd();
};
