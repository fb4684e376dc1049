import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { isList, isObject } from '../../json.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { TemplateDocument } from '../document/document.ts';
import { type PaletteEntry, wrappers } from '../document/palette.ts';
import { below, parentOf, placeOf } from '../document/pointer.ts';
import { flatRows, type Group, type Row, rowsOf } from '../document/rows.ts';
import type { Tables } from '../document/schema.ts';
import { type Changed, placeForNew, withBlock, wrapped } from './changes.ts';
import styles from './outline.module.css';
import { Palette } from './palette.tsx';
import { type Act, actionsOf, actOfKey, changeBy, RowActions } from './row-actions.tsx';
import { useFolds } from './use-folds.ts';
import { useRowDragging } from './use-row-dragging.ts';

/** What the outline needs. */
export interface OutlineProps {
  document: TemplateDocument;
  entries: readonly PaletteEntry[];
  schema: Tables;
  selected: string | undefined;
  /** How many findings each row has, by its pointer. */
  marks: ReadonlyMap<string, 'problem' | 'warning'>;
  onSelect: (pointer: string | undefined) => void;
  onChange: (document: TemplateDocument) => void;
  /** A block was moved; it is chosen. */
  onMove: (changed: Changed) => void;
  /** Brings the focus into the fields of the chosen block. */
  onEdit: () => void;
  /** The palette is open, at a place of the document. */
  paletteAt: string | undefined;
  onPalette: (pointer: string | undefined) => void;
}

const markTexts = { problem: 'problem', warning: 'warning' } as const;

/** The blocks as rows: loops and conditions hold theirs. */
export const Outline = (props: OutlineProps) => {
  const { document, entries, schema, selected, marks, paletteAt } = props;
  const { onSelect, onChange, onMove, onEdit, onPalette } = props;
  const rows = rowsOf(document.blocks);
  const all = flatRows(rows);
  const list = useRef<HTMLDivElement>(null);
  const { folded, toggle } = useFolds(document, all);
  const [wrapping, wrap] = useState<string>();
  const wantsFocus = useRef(false);

  useEffect(() => {
    if (!wantsFocus.current) return;
    wantsFocus.current = false;
    list.current?.querySelector<HTMLElement>('[aria-current="true"]')?.focus();
  });

  const choose = (pointer: string | undefined): void => {
    wantsFocus.current = true;
    onSelect(pointer);
  };
  const act = (what: Act, pointer: string): void => {
    const changed = changeBy[what](document, pointer);
    if (what === 'up' || what === 'down') onMove(changed);
    else onChange(changed.document);
    choose(changed.selected);
  };
  const dragging = useRowDragging(list, document, schema, (changed) => {
    wantsFocus.current = true;
    onMove(changed);
  });
  const onKeyDown = (event: KeyboardEvent, pointer: string): void => {
    const pressed = actOfKey(event);
    const what = actionsOf(pointer).find(([act]) => act === pressed)?.[0];
    const place = all.findIndex((row) => row.pointer === pointer);
    const neighbour =
      event.key === 'ArrowDown' ? all[place + 1] : event.key === 'ArrowUp' ? all[place - 1] : undefined;
    if (what !== undefined) act(what, pointer);
    else if (neighbour !== undefined) choose(neighbour.pointer);
    else if (event.key === 'Enter') {
      onSelect(pointer);
      onEdit();
    } else return;
    event.preventDefault();
  };
  const add = (entry: PaletteEntry): void => {
    if (paletteAt === undefined) return;
    onChange(withBlock(document, paletteAt, entry.make()));
    onPalette(undefined);
    onSelect(`${paletteAt}${entry.first ?? ''}`);
    onEdit();
  };
  const wrapChoice = (pointer: string, name: string): ReactNode => (
    <fieldset className={styles.wrapping} aria-label={`Wrap ${name} in`}>
      {wrappers.map((wrapper) => (
        <Button
          key={wrapper.name}
          onClick={() => {
            onChange(wrapped(document, pointer, wrapper.make()));
            wrap(undefined);
            onEdit();
          }}
        >
          {wrapper.name}
        </Button>
      ))}
    </fieldset>
  );
  // Each place of a list has one palette: the empty list draws its first, each row the one behind it.
  const palette = (at: string): ReactNode =>
    paletteAt === at && (
      <Palette
        entries={entries}
        onAdd={add}
        onClose={() => {
          onPalette(undefined);
          wantsFocus.current = true;
        }}
        onLeave={() => onPalette(undefined)}
      />
    );

  const groupOf = (row: Row, group: Group): ReactNode => (
    <div key={group.pointer} className={styles.group}>
      {group.title && <p className={styles.groupTitle}>{group.title}</p>}
      {listOf(group.rows, group.pointer)}
      {group.rows.length === 0 && palette(below(group.pointer, 0))}
      {!group.areParts && (
        <button
          type="button"
          className={styles.insert}
          data-list={group.rows.length === 0 ? group.pointer : undefined}
          onClick={() => onPalette(below(group.pointer, group.rows.length))}
        >
          + Add block into {(group.title ?? `${row.title} ${row.summary}`).toLowerCase()}
        </button>
      )}
    </div>
  );
  const missingGroup = ({ value, pointer }: Row): ReactNode => {
    if (!isObject(value) || value.type !== 'directive') return null;
    const key = value.directive === '#if' ? 'else' : value.directive === '#each' ? 'empty' : undefined;
    if (key === undefined || isList(value[key])) return null;
    const at = below(below(pointer, key), 0);
    return (
      <div className={styles.group}>
        {palette(at)}
        <button type="button" className={styles.insert} onClick={() => onPalette(at)}>
          + Add block for {key === 'else' ? 'otherwise' : 'when the list is empty'}
        </button>
      </div>
    );
  };
  const rowItem = (row: Row): ReactNode => {
    const { pointer, title, summary, groups } = row;
    const mark = marks.get(pointer);
    const name = `${title} ${summary.slice(0, 40)}`.trim();
    const isSelected = pointer === selected;
    // A part that stands alone has one place.
    const canMove = !Number.isNaN(placeOf(pointer));
    // What is added into a folded group is seen, and what is chosen in it.
    const holds = [paletteAt, selected].some((it) => it?.startsWith(`${pointer}/`));
    const isFolded = folded.has(pointer) && !holds;
    return (
      <li key={pointer}>
        <div className={styles.row} data-selected={isSelected} data-mark={mark}>
          {groups.length > 0 ? (
            <button
              type="button"
              className={styles.fold}
              aria-expanded={!isFolded}
              aria-label={`Contents of ${name}`}
              onClick={() => {
                if (selected?.startsWith(`${pointer}/`)) onSelect(pointer);
                if (isFolded || !folded.has(pointer)) toggle(pointer);
              }}
            >
              <Icon sign={isFolded ? 'closed' : 'open'} />
            </button>
          ) : (
            <span className={styles.fold} />
          )}
          <button
            type="button"
            className={styles.name}
            aria-current={isSelected}
            data-pointer={canMove ? pointer : undefined}
            onClick={() => onSelect(pointer)}
            onKeyDown={(event) => onKeyDown(event, pointer)}
          >
            {canMove && (
              <i data-handle>
                <Icon sign="grip" />
              </i>
            )}
            <strong>{title}</strong> <span>{summary}</span>
            {mark && <em>{markTexts[mark]}</em>}
          </button>
          {isSelected && (
            <RowActions
              row={row}
              name={name}
              act={act}
              isWrapping={wrapping === pointer}
              onWrap={() => wrap(wrapping === pointer ? undefined : pointer)}
            />
          )}
        </div>
        {isSelected && wrapping === pointer && wrapChoice(pointer, name)}
        {!isFolded && groups.map((group) => groupOf(row, group))}
        {!isFolded && isSelected && missingGroup(row)}
        {palette(below(parentOf(pointer), placeOf(pointer) + 1))}
      </li>
    );
  };
  const listOf = (those: readonly Row[], pointer: string): ReactNode =>
    those.length > 0 && <ol data-list={pointer}>{those.map(rowItem)}</ol>;

  // The button stands behind the last block, and adds there.
  const end = below('/blocks', document.blocks.length);
  const near = placeForNew(document, selected);
  return (
    <div ref={list} className={styles.outline} onPointerDown={dragging.onPointerDown}>
      {dragging.line}
      <section aria-label="Blocks">
        {listOf(rows, '/blocks')}
        {rows.length === 0 && palette('/blocks/0')}
      </section>
      {rows.length === 0 && (
        <p className={styles.none}>No blocks yet. Add a header or a section, and see it in the preview.</p>
      )}
      <div className={styles.adding}>
        <Button onClick={() => onPalette(end)} aria-keyshortcuts={near === end ? '/' : undefined}>
          Add block {near === end && <kbd>/</kbd>}
        </Button>
        {near !== end && (
          <Button look="quiet" onClick={() => onPalette(near)} aria-keyshortcuts="/">
            {near === below(parentOf(near), 0) ? 'Add into' : 'Add after'} the selected one <kbd>/</kbd>
          </Button>
        )}
      </div>
    </div>
  );
};
