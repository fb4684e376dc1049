import type { Promotion } from '@stanza/contracts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import styles from './templates.module.css';

type Promoted = Promotion['templates'][number];

const actions: Readonly<Record<Promoted['action'], readonly [Tone, string]>> = {
  created: ['good', 'new'],
  updated: ['accent', 'changed'],
  unchanged: ['quiet', 'the same'],
};

const versionText = ({ has_new_version, version_number, is_activated, source }: Promoted): string => {
  const made = has_new_version ? `becomes version ${version_number}` : `is version ${version_number} already`;
  return `Version ${source.version_number} ${made}${is_activated ? ', and is live' : ''}.`;
};

const sampleText = ({ created, updated }: Promoted['samples']): string =>
  [created > 0 && `${created} new`, updated > 0 && `${updated} changed`].filter(Boolean).join(', ');

const Item = ({ one }: { one: Promoted }) => {
  const [tone, word] = actions[one.action];
  const samples = sampleText(one.samples);
  return (
    <li>
      <Badge tone={tone}>{word}</Badge> <strong>{one.key}</strong>
      <p>{versionText(one)}</p>
      {samples !== '' && <p>Sample data: {samples}.</p>}
      {one.activation_left && (
        <p>It was live here before and another version was made live since, so that it stays as it is.</p>
      )}
      {one.metadata_left.length > 0 && (
        <p>These settings stay, since they would change the live messages: {one.metadata_left.join(', ')}.</p>
      )}
      {one.breaks.length > 0 && (
        <ul aria-label={`What breaks with ${one.key}`}>
          {one.breaks.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </li>
  );
};

/** What a promotion does, or would do. */
export const PromotionPlan = ({ promotion: { templates, entities, unmapped } }: { promotion: Promotion }) => {
  const changed = entities.filter(({ action }) => action !== 'unchanged');
  return (
    <>
      <ul className={styles.plan} aria-label="What is promoted">
        {templates.map((one) => (
          <Item key={one.key} one={one} />
        ))}
      </ul>
      {changed.length > 0 && (
        <p>
          Entities that go along:{' '}
          {changed.map(({ key, action }) => `${key} (${actions[action][1]})`).join(', ')}.
        </p>
      )}
      {unmapped.length > 0 && (
        <>
          <p>What has no counterpart here, by its key:</p>
          <ul className={styles.plan} aria-label="Without a counterpart">
            {unmapped.map(({ kind, id, template_key, message, is_blocking }) => (
              <li key={`${kind} ${id} ${template_key}`}>
                <Badge tone={is_blocking ? 'bad' : 'notice'}>
                  {is_blocking ? 'must be made first' : 'comes later'}
                </Badge>{' '}
                {message}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
};
