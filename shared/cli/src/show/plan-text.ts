import { type Status, statuses } from '../plan/compare.ts';
import {
  allPlanned,
  breaksOf,
  breakText,
  type Plan,
  type Planned,
  type PlannedResource,
  type PlannedTemplate,
  proposalText,
  refusalText,
  removalText,
  withStatus,
} from '../plan/plan.ts';
import { blockDiffLines } from './block-diff-lines.ts';
import { type DiffLine, lineDiff } from './line-diff.ts';
import type { Style } from './style.ts';

/** What people read of a status. */
export const statusWords: Readonly<Record<Status, string>> = {
  new: 'new',
  changed: 'changed',
  unchanged: 'unchanged',
  gone: 'gone',
  changed_there: 'changed there',
  both: 'both',
};

const signs: Readonly<Record<Status, string>> = {
  new: '+',
  changed: '~',
  unchanged: ' ',
  gone: '-',
  changed_there: '<',
  both: '!',
};

const shownValue = (value: unknown): string => (value === undefined ? 'none' : JSON.stringify(value));

/** What of a template differs, without its blocks. */
export const aboutLines = ({ about, data_changed }: Pick<Planned, 'about' | 'data_changed'>): DiffLine[] => [
  ...about.map(
    ({ name, from, to }): DiffLine => ({
      kind: ' ',
      line: `${name}: ${shownValue(from)} → ${shownValue(to)}`,
    }),
  ),
  ...(data_changed ? [{ kind: ' ', line: 'the sample data or the entity differ' } as const] : []),
];

/** What the message says, before and after, without the lines around what differs. */
export const textLines = ({ text }: Pick<PlannedTemplate, 'text'>): DiffLine[] => {
  const lines = text ? lineDiff(text.before, text.after) : [];
  return lines.some(({ kind }) => kind !== ' ') ? lines : [];
};

/** What a change means for stored data and for callers. */
export const impactLines = ({ impact }: Pick<PlannedTemplate, 'impact'>): string[] => {
  if (!impact) return [];
  const { inputs, summary, not_looked_at } = impact;
  const named = (what: string, paths: readonly string[]) =>
    paths.length > 0 ? [`${what}: ${paths.join(', ')}`] : [];
  const { same, changed, warning, breaks } = summary;
  return [
    ...named('now required', inputs.required),
    ...named('no longer read', inputs.gone),
    ...named(
      'of another type',
      inputs.retyped.map(({ path, from, to }) => `${path} (${from} → ${to})`),
    ),
    ...(same + changed + warning + breaks > 0
      ? [
          `stored data: ${breaks} break, ${warning} with warnings, ${changed} come out differently, ${same} the same`,
        ]
      : []),
    ...not_looked_at.flatMap(({ what, count, required_scope }) =>
      required_scope ? [`not looked at: ${count} of ${what}, which takes the scope ${required_scope}`] : [],
    ),
  ];
};

/** What a plan says of a template or of another resource; what one of them has alone is left out. */
export type Shown = Planned & Partial<PlannedTemplate & PlannedResource>;

/** Everything that a plan has something to say of. */
export const shownIn = (plan: Plan): Shown[] =>
  allPlanned(plan).filter(
    ({ status, actions, problems, why }) =>
      status !== 'unchanged' || why !== undefined || actions.length + problems.length > 0,
  );

/** What a plan cannot see, or lacks. */
export const noteLines = ({ unset = [], unseen, lacking = [] }: Shown): string[] => [
  ...unset.map((name) => `the variable ${name} is not set here; a push needs it`),
  ...(lacking.length > 0
    ? [`there are fields that the file lacks, which only --delete deletes: ${lacking.join(', ')}`]
    : []),
  ...(unseen === undefined ? [] : [unseen]),
];

/** How many have each status. */
export const summaryOf = (plan: Plan): string =>
  statuses
    .map((status) => [withStatus(plan, status).length, statusWords[status]] as const)
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`)
    .join(', ') || 'nothing';

const painted = ({ kind, line }: DiffLine, style: Style): string => {
  const text = `      ${kind} ${line}`;
  if (kind === '+') return style.good(text);
  return kind === '-' ? style.bad(text) : style.faint(text);
};

const detailsOf = (planned: Shown, style: Style): string[] => {
  const section = (title: string, lines: readonly DiffLine[]) =>
    lines.length > 0 ? [`    ${title}`, ...lines.map((line) => painted(line, style))] : [];
  return [
    ...section('metadata', aboutLines(planned)),
    ...section('blocks', planned.blocks ? blockDiffLines(planned.blocks) : []),
    ...section('message', textLines(planned)),
    ...section(
      'impact',
      impactLines(planned).map((line) => ({ kind: ' ', line })),
    ),
    ...noteLines(planned).map((line) => style.changed(`    ${line}`)),
    ...planned.problems.map((problem) => style.bad(`    ${problem}`)),
  ];
};

const headOf = ({ key, status, why, actions }: Planned, style: Style): string => {
  const does = actions.length > 0 ? ` (${actions.join(', ')})` : '';
  const line = `${signs[status]} ${key}: ${statusWords[status]}${does}${why ? `: ${why}` : ''}`;
  if (status === 'new') return style.good(line);
  if (status === 'changed') return style.changed(line);
  return status === 'both' || status === 'gone' ? style.bad(line) : line;
};

const advice: Readonly<Partial<Record<Status, string>>> = {
  changed_there: '`stanza pull` brings here what was changed there.',
  both: 'Name a side for what has changed on both: --mine <key> or --theirs <key>.',
  gone: '`stanza push --archive` archives templates and partials that have no files any more, `--delete` deletes the others.',
};

/** A plan for people. */
export const planText = (plan: Plan, style: Style): string => {
  const lines = shownIn(plan).flatMap((planned) => [headOf(planned, style), ...detailsOf(planned, style)]);
  const breaks = breaksOf(plan).map((it) => style.bad(breakText(it)));
  const waiting = plan.proposals.map((it) => style.changed(proposalText(plan, it)));
  const hints = statuses.flatMap((status) => {
    const hint = advice[status];
    return hint && withStatus(plan, status).length > 0 ? [hint] : [];
  });
  const removal = removalText(plan);
  const refusal = refusalText(plan);
  const where = `${plan.environment_name} of ${plan.organization_name}`;
  return [
    ...lines,
    ...breaks,
    ...waiting,
    ...hints,
    ...(removal === undefined ? [] : [style.bad(`a push of this ${removal}`)]),
    ...(refusal === undefined ? [] : [style.bad(`a push ${refusal}`)]),
    style.strong(`${where}: ${summaryOf(plan)}`),
  ].join('\n');
};
