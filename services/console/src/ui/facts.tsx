import type { ReactNode } from 'react';
import styles from './facts.module.css';

/** Facts of one thing, by name; those without a value are left out. */
export const Facts = ({ of }: { of: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className={styles.facts}>
    {of
      .filter(([, value]) => value !== null && value !== undefined && value !== '' && value !== false)
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);

/** Figures that a screen is about. */
export const Figures = ({
  of,
}: {
  of: readonly (readonly [name: string, value: string, note?: string | undefined])[];
}) => (
  <dl className={styles.figures}>
    {of.map(([name, value, note]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>
          {value}
          {note && <span className={styles.note}>{note}</span>}
        </dd>
      </div>
    ))}
  </dl>
);
