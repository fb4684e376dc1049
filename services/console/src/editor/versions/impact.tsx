import type { TemplateImpact } from '@stanza/contracts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { cronWords } from '../../ui/cron-words.ts';
import { pathWords } from '../../ui/path-words.ts';
import { Sentence } from '../../ui/sentence.tsx';
import { counted } from '../../ui/words.ts';
import styles from './versions.module.css';

const effects: Readonly<Record<'changed' | 'warning' | 'breaks', readonly [Tone, string]>> = {
  breaks: ['bad', 'breaks'],
  warning: ['notice', 'has warnings'],
  changed: ['quiet', 'looks different'],
};

const sources: Readonly<Record<TemplateImpact['data'][number]['source'], string>> = {
  version_sample: 'The sample data of',
  sample_data: 'Saved data',
  schedule: 'The schedule',
  batch: 'A batch of',
};

/** A problem of the impact may begin with its pointer, which says little to people. */
const sentenceOf = (message: string): string => message.replace(/^\/[^\s:]*: /, '');

/** The path of a missing value, which its sentence begins with. */
const missingIn = ({ rule, message }: { rule: string; message: string }): string[] =>
  rule === 'value.missing' ? (/^`(.+)` /s.exec(sentenceOf(message))?.slice(1) ?? []) : [];

/** What one press may do about a piece of data: a text in place of what it lacks. */
export interface DefaultRemedy {
  /** Whether the template has a placeholder to which it can be written. */
  readonly fits: (path: string) => boolean;
  readonly take: (path: string) => void;
}

const Item = ({
  item: { effect, source, name, problems },
  remedy,
}: {
  item: TemplateImpact['data'][number];
  remedy: DefaultRemedy | undefined;
}) => {
  if (effect === 'same') return null;
  const [tone, word] = effects[effect];
  // Two blocks may lack the same value, which is one problem of the data.
  const sentences = [...new Set(problems.map(({ message }) => sentenceOf(message)))];
  const missing = [...new Set(problems.flatMap(missingIn))];
  const mendable = remedy ? missing.filter(remedy.fits) : [];
  return (
    <li>
      <Badge tone={tone}>{word}</Badge>{' '}
      <span>
        {sources[source]} {source === 'schedule' ? (cronWords(name, null, false) ?? name) : name}
      </span>
      {sentences.length > 0 && (
        <ul>
          {sentences.map((sentence) => (
            <li key={sentence}>
              <Sentence>{sentence}</Sentence>
            </li>
          ))}
        </ul>
      )}
      {mendable.map((path) => (
        <Button key={path} onClick={() => remedy?.take(path)}>
          Write a default for <Sentence>{pathWords(path)}</Sentence>
        </Button>
      ))}
    </li>
  );
};

const outcomes = [
  ['breaks', 'breaks', 'break'],
  ['warning', 'has warnings', 'have warnings'],
  ['changed', 'looks different', 'look different'],
  ['same', 'stays the same', 'stay the same'],
] as const;

const inWords = (summary: TemplateImpact['summary']): string => {
  const parts = outcomes.flatMap(([effect, one, more]) =>
    summary[effect] > 0 ? [[summary[effect], summary[effect] === 1 ? one : more] as const] : [],
  );
  const words = parts.map(([count, word]) => `${counted(count, 'message')} ${word}`);
  return `Tried with the saved data, schedules and queues of this template: ${words.join(', ')}.`;
};

const named = (paths: readonly string[]): string[] => paths.map((path) => `\`${path}\``);

const Inputs = ({ inputs: { required, added, gone, retyped } }: Pick<TemplateImpact, 'inputs'>) => {
  const lines = [
    ['Required from now on', named(required)],
    ['Read from now on', named(added.filter((path) => !required.includes(path)))],
    ['Not read any more', named(gone)],
    ['Of another type', retyped.map(({ path, from, to }) => `\`${path}\` (${from}, now ${to})`)],
  ] as const;
  return (
    lines
      // An item of a list goes without saying where the list is named.
      .map(([title, paths]) => [title, paths.filter((path) => !path.includes('[]`'))] as const)
      .filter(([, paths]) => paths.length > 0)
      .map(([title, paths]) => (
        <p key={title}>
          {title}:{' '}
          {paths.map((path, place) => (
            <span key={path}>
              {place > 0 && ', '}
              <Sentence>{path}</Sentence>
            </span>
          ))}
        </p>
      ))
  );
};

const unseen: Readonly<Record<string, string>> = {
  sends: 'messages that programs send',
  version_sample: 'data of the live version',
  sample_data: 'saved data',
  schedule: 'schedules',
  batch: 'batches',
};

/** What stored data makes of the version that is to be live. */
export const Impact = ({
  impact,
  remedy,
}: {
  impact: TemplateImpact;
  remedy?: DefaultRemedy | undefined;
}) => {
  const changed = impact.data.filter(({ effect }) => effect !== 'same');
  return (
    <section className={styles.part} aria-label="Impact">
      {Object.values(impact.summary).some((count) => count > 0) && (
        <>
          <h3>Data of schedules, queues and samples</h3>
          <p>{inWords(impact.summary)}</p>
        </>
      )}
      <Inputs inputs={impact.inputs} />
      {changed.length > 0 && (
        <ul className={styles.affected} aria-label="Stored data">
          {changed.map((item) => (
            <Item key={`${item.source} ${item.id}`} item={item} remedy={remedy} />
          ))}
        </ul>
      )}
      {impact.not_looked_at.length > 0 && (
        <details>
          <summary>What this does not check</summary>
          <ul className={styles.plainList}>
            {impact.not_looked_at.map(({ what, count, why }) => (
              <li key={`${what} ${why}`}>
                {count === null ? '' : `${count} of `}
                {unseen[what] ?? what}: {why}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
};
