import type { Promotion } from '@stanza/contracts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { CopyModal } from './copy-modal.tsx';
import styles from './templates.module.css';

type Promoted = Promotion['templates'][number];

const actions: Readonly<Record<Promoted['action'], readonly [Tone, string]>> = {
  created: ['good', 'new'],
  updated: ['accent', 'changed'],
  unchanged: ['quiet', 'the same'],
};

const versionText = (
  { has_new_version, version_number, is_activated, source }: Promoted,
  isDone: boolean,
): string => {
  const made = has_new_version
    ? `${isDone ? 'became' : 'becomes'} version ${version_number} here`
    : `is version ${version_number} here already`;
  return `Version ${source.version_number} ${made}${is_activated ? ', and is live' : ''}.`;
};

const sampleText = ({ created, updated }: Promoted['samples']): string =>
  [created > 0 && `${created} new`, updated > 0 && `${updated} changed`].filter(Boolean).join(', ');

const Item = ({ one, name, isDone }: { one: Promoted; name: string; isDone: boolean }) => {
  const [tone, word] = actions[one.action];
  const samples = sampleText(one.samples);
  return (
    <li>
      <Badge tone={tone}>{word}</Badge> <strong>{name}</strong> <code>{one.key}</code>
      <p>{versionText(one, isDone)}</p>
      {samples !== '' && <p>Saved data: {samples}.</p>}
      {one.activation_left && (
        <p>It was live here before and another version was made live since, so that it stays as it is.</p>
      )}
      {one.metadata_left.length > 0 && (
        <p>These settings stay, since they would change the live messages: {one.metadata_left.join(', ')}.</p>
      )}
      {one.breaks.length > 0 && (
        <ul aria-label={`What breaks with ${name}`}>
          {one.breaks.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </li>
  );
};

/** What a promotion does, or would do. */
export const PromotionPlan = ({
  promotion: { from, templates, entities, unmapped },
  names,
  onCopied,
}: {
  promotion: Promotion;
  /** Of the templates, by key. */
  names: ReadonlyMap<string, string>;
  /** Looks again once something was copied; left out where nothing is to be copied any more. */
  onCopied?: () => void;
}) => {
  const changed = entities.filter(({ action }) => action !== 'unchanged');
  return (
    <>
      <ul className={styles.plan} aria-label="What is promoted">
        {templates.map((one) => (
          <Item
            key={one.key}
            one={one}
            name={names.get(one.key) ?? one.key}
            isDone={onCopied === undefined}
          />
        ))}
      </ul>
      {changed.length > 0 && (
        <p>
          Descriptions of data that go along:{' '}
          {changed.map(({ key, action }) => `${key} (${actions[action][1]})`).join(', ')}.
        </p>
      )}
      {unmapped.length > 0 && (
        <>
          <p>The templates need these, which are not here yet:</p>
          <ul className={styles.plan} aria-label="Without a counterpart">
            {unmapped.map((reference) => {
              const { kind, id, template_key, message, is_blocking } = reference;
              return (
                <li key={`${kind} ${id} ${template_key}`}>
                  <Badge tone={is_blocking ? 'bad' : 'notice'}>
                    {is_blocking ? 'must be made first' : 'comes later'}
                  </Badge>{' '}
                  <strong>{names.get(template_key) ?? template_key}</strong>: {message}{' '}
                  {kind === 'modal' && onCopied && (
                    <CopyModal reference={reference} from={from} onCopied={onCopied} />
                  )}
                </li>
              );
            })}
          </ul>
        </>
      )}
    </>
  );
};
