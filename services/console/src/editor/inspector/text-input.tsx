import { codePoints } from '@stanza/engine';
import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { figureOf } from '../document/schema.ts';
import { formatted, type Mark, type Marked } from './format.ts';
import styles from './inspector.module.css';
import { openPlaceholder, type Placeholder, withPlaceholder } from './placeholders.ts';
import type { FieldProps } from './simple-inputs.tsx';
import { useSurroundings } from './surroundings.ts';
import { TextBar } from './text-bar.tsx';

/** Texts up to this length have no line breaks. */
const oneLine = 160;

const maxOffered = 8;

const marksOfKeys: Readonly<Record<string, Mark>> = { b: 'bold', i: 'italic', k: 'link', e: 'code' };

/** A list that begins below the end of the window, or below what stands there, comes into sight. */
const comeIntoSight = (list: HTMLElement | null): void => list?.scrollIntoView({ block: 'nearest' });

/** What is offered behind two braces, or for a path: a list of values, the chosen one marked. */
const Offered = ({
  id,
  offered,
  at,
  onChoose,
}: {
  id: string;
  offered: readonly Placeholder[];
  at: number;
  onChoose: (path: string) => void;
}) => (
  <ul
    ref={comeIntoSight}
    id={`${id}-list`}
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the options of the field above
    role="listbox"
    aria-label="Values of the data"
    className={styles.offered}
  >
    {offered.map(({ path, kind, example }, place) => (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keyboard
      // biome-ignore lint/a11y/useFocusableInteractive: the field points to the chosen option
      <li
        key={path}
        id={`${id}-${place}`}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: an option of the field
        role="option"
        aria-label={path}
        aria-selected={place === at}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => onChoose(path)}
      >
        <code>{path}</code>
        <span>
          {kind}
          {example !== '' && `, as in ${example}`}
        </span>
      </li>
    ))}
  </ul>
);

/** A text with its limit, the values that it can name, and a bar of formats where it has some. */
export const TextInput = ({ label, description, value, pointer, schema, format, onChange }: FieldProps) => {
  const id = useId();
  const places = useSurroundings();
  const field = useRef<HTMLTextAreaElement>(null);
  const wanted = useRef<Marked>(undefined);
  // The browser puts the caret of a field without focus before its text; a value belongs behind it.
  const wasEntered = useRef(false);
  // The text before and after the bar began a placeholder, which Escape takes back.
  const begun = useRef<{ before: string; after: string }>(undefined);
  const [caret, setCaret] = useState<number>();
  const [place, setPlace] = useState(0);
  const { kind } = description;
  const max = figureOf(schema, description.limit);
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  // The platform counts an emoji as one character.
  const length = codePoints(text);
  const isLong = kind === 'text' && max !== undefined && max > oneLine;
  const isPath = kind === 'path' || kind === 'value';

  const open =
    caret === undefined ? undefined : isPath ? { from: 0, typed: text } : openPlaceholder(text, caret);
  const low = open?.typed.trim().toLowerCase() ?? '';
  const offered =
    open === undefined
      ? []
      : places
          .placeholders(pointer)
          .filter((one) => one.path.toLowerCase().includes(low) && one.path !== open.typed.trim())
          .filter((one) => kind !== 'path' || one.kind === 'list')
          .slice(0, maxOffered);
  const at = Math.min(place, offered.length - 1);

  useLayoutEffect(() => {
    const next = wanted.current;
    if (next === undefined || field.current === null) return;
    wanted.current = undefined;
    field.current.focus();
    field.current.setSelectionRange(next.from, next.to);
  });

  const write = (next: Marked): void => {
    wanted.current = next;
    setCaret(next.to);
    setPlace(0);
    onChange(next.text, pointer);
  };
  const marked = (): Marked => {
    const { selectionStart: from, selectionEnd: to } = (wasEntered.current && field.current) || {
      selectionStart: text.length,
      selectionEnd: text.length,
    };
    return { text, from, to };
  };
  const choose = (path: string): void => {
    if (open === undefined || caret === undefined) return;
    const made = isPath ? { text: path, caret: path.length } : withPlaceholder(text, open.from, caret, path);
    write({ text: made.text, from: made.caret, to: made.caret });
    setCaret(undefined);
  };
  const leave = (): void => {
    setCaret(undefined);
    if (begun.current?.after === text) onChange(begun.current.before, pointer);
    begun.current = undefined;
  };
  /** What a key does to the values that are offered; false where it does nothing. */
  const onOffered = (event: KeyboardEvent): boolean => {
    const chosen = offered[at];
    if (chosen === undefined || event.nativeEvent.isComposing) return false;
    if (event.key === 'ArrowDown') setPlace((at + 1) % offered.length);
    else if (event.key === 'ArrowUp') setPlace((at + offered.length - 1) % offered.length);
    else if (event.key === 'Escape') leave();
    else if ((event.key === 'Enter' || event.key === 'Tab') && (!isPath || low !== '')) choose(chosen.path);
    else return false;
    event.stopPropagation();
    return true;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const mark = marksOfKeys[event.key.toLowerCase()];
    const text = marked();
    // Ctrl+K finds, as it does everywhere; it makes a link of what is marked.
    if (format && mark && (event.ctrlKey || event.metaKey) && (mark !== 'link' || text.from < text.to)) {
      event.stopPropagation();
      write(formatted(text, mark, format));
    } else if (!onOffered(event) && (event.key !== 'Enter' || isLong)) return;
    event.preventDefault();
  };
  const about =
    description.form ??
    (kind === 'path'
      ? 'A name of your choice, as in changes. Its items are filled in under Data.'
      : kind === 'value'
        ? 'As in order.total'
        : '');
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {format && (
        <TextBar
          label={label}
          format={format}
          marked={marked}
          onWrite={write}
          onValue={() => {
            const { from, to } = marked();
            const after = `${text.slice(0, from)}{{${text.slice(to)}`;
            begun.current = { before: text, after };
            write({ text: after, from: from + 2, to: from + 2 });
          }}
        />
      )}
      <textarea
        ref={field}
        id={id}
        value={text}
        rows={isLong ? 3 : 1}
        required={description.required}
        spellCheck={kind === 'text'}
        aria-describedby={`${id}-about`}
        aria-autocomplete="list"
        aria-controls={offered.length > 0 ? `${id}-list` : undefined}
        aria-activedescendant={offered.length > 0 ? `${id}-${at}` : undefined}
        onKeyDown={onKeyDown}
        onFocus={() => {
          wasEntered.current = true;
        }}
        onBlur={() => setCaret(undefined)}
        onChange={({ target }) => {
          setCaret(target.selectionStart);
          setPlace(0);
          onChange(target.value === '' && !description.required ? undefined : target.value, pointer);
        }}
      />
      {offered.length > 0 && <Offered id={id} offered={offered} at={at} onChoose={choose} />}
      <p id={`${id}-about`} className={styles.about}>
        {about}
        {max !== undefined && kind === 'text' && (
          <span data-over={length > max}>
            {length.toLocaleString('en')} / {max.toLocaleString('en')}
          </span>
        )}
      </p>
    </div>
  );
};
