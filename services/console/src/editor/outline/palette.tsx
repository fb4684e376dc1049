import { type KeyboardEvent, useEffect, useEffectEvent, useId, useMemo, useState } from 'react';
import { useInSight } from '../../ui/use-in-sight.ts';
import { foundIn, type PaletteEntry } from '../document/palette.ts';
import styles from './outline.module.css';

/**
 * Closes what the focus has left. A press that takes the focus away is waited for: what closes earlier moves the page,
 * and the press lands somewhere else.
 * @returns what is called when the focus leaves
 */
const useLeaving = (onLeave: () => void): (() => void) => {
  const over = useEffectEvent(onLeave);
  const [isPressed, press] = useState(false);
  const [isLeft, leave] = useState(false);
  useEffect(() => {
    const begin = (): void => press(true);
    const end = (): void => press(false);
    window.addEventListener('pointerdown', begin, true);
    // A click comes right behind its release, and is answered first.
    window.addEventListener('click', end);
    window.addEventListener('pointercancel', end);
    return () => {
      window.removeEventListener('pointerdown', begin, true);
      window.removeEventListener('click', end);
      window.removeEventListener('pointercancel', end);
    };
  }, []);
  useEffect(() => {
    if (isLeft && !isPressed) over();
  }, [isLeft, isPressed]);
  return () => leave(true);
};

/** All of it is seen where it opens below the edge of the window. */
const comeIntoSight = (palette: HTMLElement | null): void => palette?.scrollIntoView({ block: 'nearest' });

/** A list of what can be added, with a search; arrows choose, Enter adds, Escape closes. */
export const Palette = ({
  entries,
  onAdd,
  onClose,
  onLeave,
}: {
  entries: readonly PaletteEntry[];
  onAdd: (entry: PaletteEntry) => void;
  /** Escape closes it: the focus is still inside. */
  onClose: () => void;
  /** The focus is elsewhere, and stays there. */
  onLeave: () => void;
}) => {
  const leave = useLeaving(onLeave);
  const id = useId();
  const [search, setSearch] = useState('');
  const [place, setPlace] = useState(0);
  const found = useMemo(() => foundIn(entries, search), [entries, search]);
  const at = Math.min(place, found.length - 1);
  const chosen = found[at];
  useInSight(`${id}-${at}`, search);
  const move = (by: number): void => setPlace((found.length + at + by) % Math.max(1, found.length));
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key === 'Escape') onClose();
    else if (event.key === 'Enter' && chosen !== undefined) onAdd(chosen);
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={comeIntoSight}
      className={styles.palette}
      role="dialog"
      aria-label="Add block"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (relatedTarget === null || !currentTarget.contains(relatedTarget)) leave();
      }}
    >
      <input
        // biome-ignore lint/a11y/noAutofocus: the palette is opened to be typed into
        autoFocus
        role="combobox"
        aria-label="Search blocks"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={chosen && `${id}-${at}`}
        placeholder="Search blocks"
        autoComplete="off"
        value={search}
        onKeyDown={onKeyDown}
        onChange={({ target }) => {
          setSearch(target.value);
          setPlace(0);
        }}
      />
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the options of the combobox above */}
      <ul id={`${id}-list`} role="listbox" aria-label="Blocks to add" tabIndex={-1}>
        {found.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox has the keyboard
          // biome-ignore lint/a11y/useFocusableInteractive: the combobox points to the chosen option
          <li
            key={entry.name}
            id={`${id}-${index}`}
            // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: an option of the combobox
            role="option"
            aria-label={entry.name}
            aria-selected={index === at}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onAdd(entry)}
          >
            <strong>{entry.name}</strong>
            <span>{entry.about}</span>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className={styles.none}>There is no block of this name.</p>}
    </div>
  );
};
