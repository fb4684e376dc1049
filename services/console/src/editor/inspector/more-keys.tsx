import { useState } from 'react';
import { wordsOf } from '../document/words.ts';
import styles from './inspector.module.css';
import { firstKey } from './shape-keys.ts';

/** Adds a key that is not there: a button for the one that most people look for, a list for the others. */
export const MoreKeys = ({ absent, onAdd }: { absent: readonly string[]; onAdd: (name: string) => void }) => {
  const [added, setAdded] = useState('');
  const others = absent.filter((name) => name !== firstKey);
  const add = (name: string): void => {
    setAdded('');
    onAdd(name);
  };
  return (
    <>
      {absent.length > others.length && (
        <button type="button" className={styles.add} onClick={() => add(firstKey)}>
          + {wordsOf(firstKey)}
        </button>
      )}
      {others.length > 0 && (
        <label className={styles.more}>
          <span className="visually-hidden">More options</span>
          <select value={added} onChange={({ target }) => add(target.value)}>
            <option value="">More options…</option>
            {others.map((name) => (
              <option key={name} value={name}>
                {wordsOf(name)}
              </option>
            ))}
          </select>
        </label>
      )}
    </>
  );
};
