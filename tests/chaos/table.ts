import { kindOf } from './fault.ts';
import type { StoryEnd } from './story.ts';

const line = (...cells: (string | number)[]): string => `| ${cells.join(' | ')} |`;

/** How often each kind of fault was done. */
const faultTable = ({ faults }: StoryEnd): string => {
  const kinds = Map.groupBy(faults, ({ harm }) => kindOf(harm));
  const lines = [...kinds].sort(([one], [other]) => one.localeCompare(other));
  return [
    line('fault', 'times'),
    line('---', '---:'),
    ...lines.map(([kind, all]) => line(kind, all.length)),
    line('**all**', `**${faults.length}**`),
  ].join('\n');
};

const invariantTable = ({ verdicts }: StoryEnd): string =>
  [
    line('', 'invariant', 'counted', 'holds'),
    line('---', '---', '---', '---'),
    ...verdicts.map(({ name, figures, broken }, at) => {
      const counted = Object.entries(figures).map(([what, count]) => `${count} ${what}`);
      return line(at + 1, name, counted.join(', '), broken.length === 0 ? 'yes' : `**no: ${broken.length}**`);
    }),
  ].join('\n');

/** The tables of a run, as Markdown. */
export const tablesOf = (end: StoryEnd): string => `${faultTable(end)}\n\n${invariantTable(end)}`;

/** Evidence against each broken invariant; not all of it where there is much. */
export const evidenceOf = ({ verdicts }: StoryEnd, most = 12): string[] =>
  verdicts.flatMap(({ broken }, at) => [
    ...broken.slice(0, most).map((it) => `${at + 1}: ${it}`),
    ...(broken.length > most ? [`${at + 1}: and ${broken.length - most} more`] : []),
  ]);
