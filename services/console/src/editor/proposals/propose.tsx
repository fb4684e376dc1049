import { Problem } from '../../ui/form.tsx';
import type { Making } from '../versions/use-make-live.ts';
import styles from '../versions/versions.module.css';

/** Says that somebody else decides, before a version is proposed to them and afterwards. */
export const Proposing = ({ making: { propose, proposal, live } }: { making: Making }) => {
  if (propose.isSuccess) {
    return (
      <p className={styles.good} role="status">
        It is proposed. Others find it on Templates, under “Waiting for a decision”.{' '}
        {live === null
          ? 'Nothing is live until one of them accepts it.'
          : `Version ${live.version_number} stays live until one of them accepts it.`}
      </p>
    );
  }
  return (
    <>
      <p className={styles.told}>
        {proposal
          ? 'The policy of the organization asks for somebody else here: whoever wrote or proposed a version does not accept it.'
          : 'The policy of the organization asks for somebody else here. Propose the version, and another person looks at it and makes it live.'}
      </p>
      <Problem error={propose.error} />
    </>
  );
};
