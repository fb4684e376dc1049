import { useId } from 'react';
import { wordsOf } from '../document/rows.ts';
import { type Description, figureOf, type Tables } from '../document/schema.ts';
import styles from './inspector.module.css';

/** A value in a form. */
export interface FieldProps {
  label: string;
  description: Description;
  value: unknown;
  pointer: string;
  schema: Tables;
  /** undefined takes the value away. */
  onChange: (value: unknown, pointer: string) => void;
}

/** Longer texts than this get several lines. */
const oneLine = 160;

/** A text of one line or several, with its limit. */
export const TextInput = ({ label, description, value, pointer, schema, onChange }: FieldProps) => {
  const id = useId();
  const max = figureOf(schema, description.limit);
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  const isLong = description.kind === 'text' && max !== undefined && max > oneLine;
  const shared = {
    id,
    value: text,
    required: description.required,
    spellCheck: description.kind === 'text',
    'aria-describedby': `${id}-about`,
    onChange: ({ target }: { target: { value: string } }) =>
      onChange(target.value === '' && !description.required ? undefined : target.value, pointer),
  };
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {isLong ? (
        <textarea {...shared} rows={Math.min(8, 2 + text.split('\n').length)} />
      ) : (
        <input {...shared} />
      )}
      <p id={`${id}-about`} className={styles.about}>
        {description.form ?? (description.kind === 'path' ? 'A path of the data, as in order.items' : '')}
        {max !== undefined && description.kind === 'text' && (
          <span data-over={text.length > max}>
            {text.length.toLocaleString('en')} / {max.toLocaleString('en')}
          </span>
        )}
      </p>
    </div>
  );
};

const numberOf = (text: string): unknown => {
  if (text.trim() === '') return undefined;
  const number = Number(text);
  return Number.isNaN(number) ? text : number;
};

/** A number; another text is kept as it is, for the problems to name. */
export const NumberInput = ({ label, value, pointer, onChange }: FieldProps) => (
  <label className={styles.field}>
    <span>{label}</span>
    <input
      inputMode="numeric"
      value={value === undefined ? '' : String(value)}
      onChange={({ target }) => onChange(numberOf(target.value), pointer)}
    />
  </label>
);

/** One of the values that the schema lists. */
export const ChoiceInput = ({ label, description, value, pointer, onChange }: FieldProps) => {
  const values = description.kind === 'boolean' ? [true, false] : description.values;
  const isListed = value === undefined || values.some((one) => one === value);
  return (
    <label className={styles.field}>
      <span>{label}</span>
      <select
        value={value === undefined ? '' : String(value)}
        onChange={({ target }) =>
          onChange(
            values.find((one) => String(one) === target.value),
            pointer,
          )
        }
      >
        {!(description.required && value !== undefined) && <option value="">not set</option>}
        {!isListed && <option value={String(value)}>{String(value)}</option>}
        {values.map((one) => (
          <option key={String(one)} value={String(one)}>
            {one === true ? 'yes' : one === false ? 'no' : wordsOf(String(one))}
          </option>
        ))}
      </select>
    </label>
  );
};
