import styles from './badge.module.css';

/** What a state means to somebody who looks at a list. */
export type Tone = 'good' | 'bad' | 'notice' | 'accent' | 'quiet';

/** A state in a word, coloured by what it means; the word alone says it too. */
export const Badge = ({ tone = 'quiet', children }: { tone?: Tone | undefined; children: string }) => (
  <span className={`${styles.badge} ${styles[tone]}`}>{children}</span>
);

const tones: Readonly<Record<string, Tone>> = {
  sent: 'good',
  delivered: 'good',
  done: 'good',
  live: 'good',
  completed: 'good',
  accepted: 'good',
  on: 'good',
  usable: 'good',
  connected: 'good',
  failed: 'bad',
  revoked: 'bad',
  unreadable: 'bad',
  refused: 'bad',
  unknown: 'notice',
  lost: 'notice',
  waiting: 'notice',
  pending: 'notice',
  open: 'notice',
  collecting: 'accent',
  scheduled: 'accent',
  posting: 'accent',
  delivering: 'accent',
  ready: 'accent',
  draft: 'accent',
};

/** The badge of a state of the API, in words. */
export const StateBadge = ({ state }: { state: string }) => (
  <Badge tone={tones[state]}>{state.replaceAll('_', ' ')}</Badge>
);
