import { type KeyboardEvent, type ReactNode, useState } from 'react';
import styles from './choice-list.module.css';
import { CheckField, TextField } from './field.tsx';

/** Choices that are seen at a glance; more of them have a search. */
const atAGlance = 8;

type Choice<Value extends string> = readonly [value: Value, name: ReactNode, hint: string];

const matches = ([value, name, hint]: Choice<string>, words: string): boolean => {
  const text = `${value} ${typeof name === 'string' ? name : ''} ${hint}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};

/** Boxes to tick that belong together; a long list of them is searched. What is ticked stays so while it is not shown. */
export const ChoiceList = <Value extends string>({
  legend,
  search,
  choices,
  isChosen,
  onChoose,
}: {
  legend: string;
  /** What the search is called, as in “Search templates”. */
  search: string;
  choices: readonly Choice<Value>[];
  isChosen: (value: Value) => boolean;
  onChoose: (value: Value, isChosen: boolean) => void;
}) => {
  const [words, setWords] = useState('');
  const shown = choices.filter((choice) => matches(choice, words.trim()));
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const clears = event.key === 'Escape' && words !== '';
    if (clears) setWords('');
    // Neither sends the form nor closes its dialog.
    if (clears || event.key === 'Enter') event.preventDefault();
  };
  return (
    <fieldset className={styles.choices}>
      <legend>{legend}</legend>
      {choices.length > atAGlance && (
        <TextField
          label={search}
          type="search"
          value={words}
          onChange={({ target }) => setWords(target.value)}
          onKeyDown={onKeyDown}
        />
      )}
      <div className={styles.list}>
        {shown.map(([value, name, hint]) => (
          <CheckField
            key={value}
            label={name}
            hint={hint}
            checked={isChosen(value)}
            onChange={({ target }) => onChoose(value, target.checked)}
          />
        ))}
      </div>
      {choices.length > atAGlance && (
        <p className={styles.none} role="status">
          {words.trim() !== '' &&
            (shown.length === 0
              ? 'Nothing is called that.'
              : `${shown.length} of ${choices.length} shown, ${choices.filter(([value]) => isChosen(value)).length} chosen`)}
        </p>
      )}
    </fieldset>
  );
};
