import { isList, isObject } from '../json.ts';
import styles from './values.module.css';
import { titled } from './words.ts';

/** Characters of a text that is shown whole. */
const longestShown = 600;

/** Characters by which a longer one is known: a few lines on a phone. */
const shownOfLong = 200;

const Value = ({ value }: { value: unknown }) => {
  if (isList(value)) {
    if (value.length === 0) return <span className={styles.none}>none</span>;
    return (
      <ol className={styles.list}>
        {value.map((item, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: items have no name but their place
          <li key={place} dir="auto">
            <Value value={item} />
          </li>
        ))}
      </ol>
    );
  }
  if (isObject(value)) {
    const entries = Object.entries(value);
    if (entries.length === 0) return <span className={styles.none}>nothing in it</span>;
    return (
      <dl className={styles.values}>
        {entries.map(([name, one]) => (
          <div key={name}>
            <dt dir="auto">{titled(name)}</dt>
            <dd dir="auto">
              <Value value={one} />
            </dd>
          </div>
        ))}
      </dl>
    );
  }
  if (value === null || value === undefined || value === '') return <span className={styles.none}>none</span>;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const text = String(value);
  if (text.length <= longestShown) return text;
  return (
    <details>
      {/* Not half of a character that has two units. */}
      <summary>{text.slice(0, shownOfLong).replace(/[\ud800-\udbff]$/, '')}…</summary>
      {text}
    </details>
  );
};

/** Any data as people read it: names with their values, one below the other. */
export const Values = ({ label, of }: { label: string; of: unknown }) => (
  <section className={styles.frame} aria-label={label}>
    <Value value={of} />
  </section>
);
