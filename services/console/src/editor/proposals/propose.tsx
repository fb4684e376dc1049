import type { Making } from '../versions/use-make-live.ts';
import styles from '../versions/versions.module.css';

/** Says that somebody else decides, and what is to be done about it. */
export const NeedsAnotherPerson = ({ proposal }: Pick<Making, 'proposal'>) => (
  <p className={styles.told}>
    {proposal
      ? 'The policy of the organization asks for somebody else here: whoever wrote or proposed a version does not accept it.'
      : 'The policy of the organization asks for somebody else here. Propose the version, and another person looks at it and makes it live.'}
  </p>
);

/** Says that a version is proposed, and where others find it. */
export const Proposed = ({ live }: Pick<Making, 'live'>) => (
  <p className={styles.good} role="status">
    It is proposed. Others find it on Templates, under “Waiting for a decision”.{' '}
    {live === null
      ? 'Nothing is live until one of them accepts it.'
      : `Version ${live.version_number} stays live until one of them accepts it.`}
  </p>
);
