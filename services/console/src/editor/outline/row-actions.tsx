import type { KeyboardEvent } from 'react';
import { Icon, type Sign } from '../../ui/icon.tsx';
import type { TemplateDocument } from '../document/document.ts';
import { placeOf } from '../document/pointer.ts';
import type { Row } from '../document/rows.ts';
import { type Changed, duplicated, moved, removed } from './changes.ts';
import styles from './outline.module.css';

/** The buttons of the chosen row. */
export const RowActions = ({
  row: { pointer, isPart },
  name,
  act,
  isWrapping,
  onWrap,
}: {
  row: Row;
  name: string;
  act: (what: Act, pointer: string) => void;
  isWrapping: boolean;
  onWrap: () => void;
}) => (
  <span className={styles.actions}>
    {!isPart && (
      <button
        type="button"
        aria-label={`Wrap in ${name}`}
        aria-expanded={isWrapping}
        title="Wrap in Repeat, If or Group"
        onClick={onWrap}
      >
        <Icon sign="wrap" />
      </button>
    )}
    {actionsOf(pointer).map(([what, label, sign]) => (
      <button
        key={what}
        type="button"
        aria-label={`${label} ${name}`}
        title={label}
        onClick={() => act(what, pointer)}
      >
        <Icon sign={sign} />
      </button>
    ))}
  </span>
);

/** What the keys and buttons of a row do. */
export type Act = 'up' | 'down' | 'duplicate' | 'delete';

const actions = [
  ['up', 'Move up', 'up'],
  ['down', 'Move down', 'down'],
  ['duplicate', 'Duplicate', 'copy'],
  ['delete', 'Delete', 'remove'],
] as const satisfies readonly (readonly [Act, string, Sign])[];

/** A part that stands alone has no neighbours. */
export const actionsOf = (pointer: string) =>
  Number.isNaN(placeOf(pointer)) ? actions.filter(([what]) => what === 'delete') : actions;

/** What each makes of the document. */
export const changeBy: Readonly<Record<Act, (document: TemplateDocument, pointer: string) => Changed>> = {
  up: (document, pointer) => moved(document, pointer, -1),
  down: (document, pointer) => moved(document, pointer, 1),
  duplicate: duplicated,
  delete: removed,
};

/** What a key on a row does. */
export const actOfKey = ({ key, altKey, ctrlKey, metaKey }: KeyboardEvent): Act | undefined => {
  if (altKey && key === 'ArrowUp') return 'up';
  if (altKey && key === 'ArrowDown') return 'down';
  if ((ctrlKey || metaKey) && key === 'd') return 'duplicate';
  return key === 'Delete' ? 'delete' : undefined;
};
