import type { TemplateUse } from '@stanza/contracts';
import { ScreenLink } from '../../shell/screen-link.tsx';
import { cronWords } from '../../ui/cron-words.ts';
import { counted } from '../../ui/words.ts';
import { type UseOf, useOf } from './use-of.ts';
import styles from './versions.module.css';

const Named = ({ use }: { use: UseOf }) => (
  <ul className={styles.plainList}>
    {use.queues.map(({ id, name }) => (
      <li key={id}>
        Queue{' '}
        <ScreenLink screen="queues" item={id}>
          {name}
        </ScreenLink>
      </li>
    ))}
    {use.schedules.map(({ id, timing }) => (
      <li key={id}>
        Schedule{' '}
        <ScreenLink screen="schedules" item={id}>
          {cronWords(timing, null, false) ?? timing}
        </ScreenLink>
      </li>
    ))}
    {use.keys.map(({ id, name, count }) => (
      <li key={id}>
        Key {name}, {counted(count, 'time')} in the last 30 days
      </li>
    ))}
  </ul>
);

/** Who uses a template. */
export const UsedBy = ({ use }: { use: TemplateUse }) => {
  const known = useOf(use);
  return (
    <section className={styles.part} aria-label="Use">
      <h3>{known.inWords === '' ? 'No queue, schedule or key uses it yet' : `Used by ${known.inWords}`}</h3>
      {known.inWords !== '' && <Named use={known} />}
      {known.modals.map(({ id, name }) => (
        <p key={id}>
          It opens the modal{' '}
          <ScreenLink screen="modals" item={id}>
            {name}
          </ScreenLink>
          .
        </p>
      ))}
    </section>
  );
};
