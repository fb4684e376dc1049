import { type BlockDiff, diffBlocks } from '@stanza/engine/diff';
import { useMemo } from 'react';
import { isObject } from '../../json.ts';
import { useMay } from '../../shell/allowed.tsx';
import { useDestinations, useModals } from '../../shell/whole-lists.ts';
import { placeWords, valueWords } from '../document/change-words.ts';
import { rowsOf, titleOf } from '../document/rows.ts';
import styles from './versions.module.css';

const isBlock = (value: unknown): value is { type: string; id?: string } =>
  isObject(value) &&
  typeof value.type === 'string' &&
  (value.id === undefined || typeof value.id === 'string');

/** The names of what buttons open and call, which blocks name by id; asked for where a change has such an id. */
const useNames = (diff: BlockDiff): ReadonlyMap<string, string> => {
  const names = (key: string): boolean =>
    diff.changed.some(({ changes }) => JSON.stringify(changes).includes(key));
  const modals = useModals(useMay('modals:read') && names('modal_id')).data;
  const destinations = useDestinations(useMay('destinations:read') && names('destination_id')).data;
  const found = [...(modals ?? []), ...(destinations ?? [])];
  return new Map(found.map(({ id, name }) => [id, name]));
};

/** What is different between two lists of blocks, block by block. */
export const BlockChanges = ({
  before,
  after,
}: {
  before: readonly unknown[];
  after: readonly unknown[];
}) => {
  const diff = useMemo(() => diffBlocks(before.filter(isBlock), after.filter(isBlock)), [before, after]);
  const names = useNames(diff);
  const sides = useMemo(
    () => [before, after].map((blocks) => ({ document: { blocks }, rows: rowsOf(blocks) })),
    [before, after],
  );
  const { added, removed, moved, changed } = diff;
  /** Where something is taken away, its address is one of before. */
  const placeOf = (pointer: string, isGone: boolean): string => {
    const [was, is] = sides;
    const side = isGone ? was : is;
    return side === undefined ? '' : placeWords(side.document, side.rows, pointer);
  };
  if (added.length + removed.length + moved.length + changed.length === 0) {
    return <p className={styles.none}>The blocks are the same.</p>;
  }
  return (
    <ul className={styles.changes} aria-label="Changes">
      {changed.map(({ pointer, type, changes }) => (
        <li key={`changed ${pointer}`}>
          <strong>Changed</strong> {titleOf({ type })}
          <ul>
            {changes.map(({ op, pointer: at, from, to }) => (
              <li key={`${op} ${at}`}>
                <span className={styles.place}>{placeOf(at, op === 'remove')}</span>
                {from !== undefined && <del dir="auto">{valueWords(from, at, names)}</del>}
                {to !== undefined && <ins dir="auto">{valueWords(to, at, names)}</ins>}
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
