import { numberIn, useTypedText } from '../../ui/typed-text.ts';
import type { Description, Tables } from '../document/schema.ts';
import { wordsOf } from '../document/words.ts';
import type { Format } from './format.ts';
import styles from './inspector.module.css';

/** A value in a form. */
export interface FieldProps {
  label: string;
  description: Description;
  value: unknown;
  pointer: string;
  schema: Tables;
  /** How a text marks its formats, where it has some. */
  format?: Format | undefined;
  /** undefined takes the value away. */
  onChange: (value: unknown, pointer: string) => void;
}

const printed = (value: unknown): string => (value === undefined ? '' : String(value));

/** A number; another text is kept as it is, for the problems to name. */
export const NumberInput = ({ label, value, pointer, onChange }: FieldProps) => {
  const { text, type } = useTypedText(value, printed);
  return (
    <label className={styles.field}>
      <span>{label}</span>
      <input
        inputMode="numeric"
        value={text}
        onChange={({ target }) => {
          const number = numberIn(target.value);
          type(target.value, number);
          onChange(number, pointer);
        }}
      />
    </label>
  );
};

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

/** Which of several objects a value is. */
export const TypeInput = ({
  label,
  types,
  type,
  onChange,
}: {
  label: string;
  types: readonly string[];
  type: string;
  onChange: (type: string) => void;
}) => (
  <label className={styles.field}>
    <span>{label}</span>
    <select value={type} onChange={({ target }) => onChange(target.value)}>
      {!types.includes(type) && <option value={type}>{type === '' ? 'choose' : type}</option>}
      {types.map((one) => (
        <option key={one} value={one}>
          {wordsOf(one)}
        </option>
      ))}
    </select>
  </label>
);
