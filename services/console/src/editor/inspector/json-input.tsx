import { useId, useState } from 'react';
import { readJson } from '../../json.ts';
import { useTypedText } from '../../ui/typed-text.ts';
import styles from './inspector.module.css';

const read = (text: string): { value: unknown } | { problem: string } =>
  text.trim() === '' ? { value: undefined } : readJson(text);

const print = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value, null, 2));

/** A value as JSON, where there is no better form. Text that is no JSON stays and changes nothing. */
export const JsonInput = ({
  label,
  value,
  onChange,
}: {
  label: string;
  value: unknown;
  onChange: (value: unknown) => void;
}) => {
  const id = useId();
  const { text, type } = useTypedText(value, print);
  const result = read(text);
  const [wasLeft, leave] = useState(false);
  const problem = wasLeft && 'problem' in result ? result.problem : undefined;
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        className={styles.code}
        spellCheck={false}
        rows={Math.min(10, text.split('\n').length + 1)}
        value={text}
        aria-invalid={problem === undefined ? undefined : true}
        aria-describedby={problem === undefined ? undefined : `${id}-problem`}
        onBlur={() => leave(true)}
        onChange={({ target }) => {
          const next = read(target.value);
          type(target.value, 'value' in next ? next.value : value);
          if ('value' in next) onChange(next.value);
        }}
      />
      {problem && (
        <p id={`${id}-problem`} className={styles.problem}>
          {problem}
        </p>
      )}
    </div>
  );
};
