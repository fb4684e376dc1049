import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { useInSight } from '../../ui/use-in-sight.ts';
import { useModal } from '../../ui/use-modal.ts';
import { type Command, matching, stepped } from './commands.ts';
import styles from './palette.module.css';
import { useCommands } from './use-commands.ts';

const Options = ({
  id,
  shown,
  at,
  onChoose,
}: {
  id: string;
  shown: readonly Command[];
  at: number;
  onChoose: (command: Command) => void;
}) => (
  <div id={id} role="listbox" aria-label="Commands" className={styles.list}>
    {shown.map((command, place) => (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field, which keeps the focus
      <div
        key={command.id}
        id={`${id}-${place}`}
        role="option"
        tabIndex={-1}
        aria-selected={place === at}
        className={styles.option}
        onClick={() => onChoose(command)}
      >
        <span>{command.name}</span>
        <span className={styles.kind}>{command.kind}</span>
      </div>
    ))}
  </div>
);

/** Finds screens, templates and what the screen does by a few letters; arrows and Enter choose, Escape closes. */
export const CommandPalette = ({ onClose }: { onClose: () => void }) => {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const shown = matching(useCommands(typed), typed);
  const chosen = Math.min(at, Math.max(0, shown.length - 1));
  useModal(dialog);
  useInSight(`${id}-${chosen}`, typed);
  const choose = (command: Command | undefined): void => {
    if (command === undefined) return;
    // Closed first: what is chosen may take the focus, or open a dialog of its own.
    dialog.current?.close();
    onClose();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // Enter and arrows are those of the letters that are still composed.
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt(stepped(chosen, step, shown.length));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      choose(shown[chosen]);
    }
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a press beside the palette closes it, as Escape does
    <dialog
      ref={dialog}
      aria-label="Command palette"
      className={styles.palette}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={({ target }) => target === dialog.current && onClose()}
    >
      <input
        type="text"
        role="combobox"
        aria-label="Search commands and templates"
        aria-expanded={shown.length > 0}
        aria-controls={id}
        aria-activedescendant={shown.length > 0 ? `${id}-${chosen}` : undefined}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        placeholder="Find a screen, a template, or what this screen can do …"
        className={styles.input}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <Options id={id} shown={shown} at={chosen} onChoose={choose} />
      {shown.length === 0 && (
        <p className={styles.nothing} role="status">
          Nothing is called that.
        </p>
      )}
    </dialog>
  );
};
