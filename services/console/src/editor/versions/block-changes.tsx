import { diffBlocks } from '@stanza/engine/diff';
import { useMemo } from 'react';
import { isObject } from '../../json.ts';
import { titleOf } from '../document/rows.ts';
import styles from './versions.module.css';

const isBlock = (value: unknown): value is { type: string; id?: string } =>
  isObject(value) &&
  typeof value.type === 'string' &&
  (value.id === undefined || typeof value.id === 'string');

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The words that an address of a change reads as, within its block. */
const placeIn = (pointer: string): string => pointer.split('/').slice(3).join(' › ');

/** What is different between two lists of blocks, block by block. */
export const BlockChanges = ({
  before,
  after,
}: {
  before: readonly unknown[];
  after: readonly unknown[];
}) => {
  const diff = useMemo(() => diffBlocks(before.filter(isBlock), after.filter(isBlock)), [before, after]);
  const { added, removed, moved, changed } = diff;
  if (added.length + removed.length + moved.length + changed.length === 0) {
    return <p className={styles.none}>The blocks are the same.</p>;
  }
  return (
    <ul className={styles.changes} aria-label="Changes">
      {changed.map(({ pointer, type, changes }) => (
        <li key={`changed ${pointer}`}>
          <strong>Changed</strong> {titleOf({ type })}
          <ul>
            {changes.map(({ pointer: at, from, to }) => (
              <li key={at}>
                <span className={styles.place}>{placeIn(at)}</span>
                {from !== undefined && <del>{shown(from)}</del>}
                {to !== undefined && <ins>{shown(to)}</ins>}
              </li>
            ))}
          </ul>
        </li>
      ))}
      {added.map(({ pointer, block }) => (
        <li key={`added ${pointer}`}>
          <strong>Added</strong> {titleOf(block)}
        </li>
      ))}
      {removed.map(({ pointer, block }) => (
        <li key={`removed ${pointer}`}>
          <strong>Removed</strong> {titleOf(block)}
        </li>
      ))}
      {moved.map(({ to, type }) => (
        <li key={`moved ${to}`}>
          <strong>Moved</strong> {titleOf({ type })}
        </li>
      ))}
    </ul>
  );
};
