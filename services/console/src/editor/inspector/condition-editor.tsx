import { useState } from 'react';
import { isList, isObject, readJson } from '../../json.ts';
import { operatorWords, takesList } from '../document/condition-words.ts';
import { below } from '../document/pointer.ts';
import type { Tables } from '../document/schema.ts';
import styles from './inspector.module.css';
import { JsonInput } from './json-input.tsx';
import { TextInput } from './text-input.tsx';

const takesValue = (schema: Tables, operator: string): boolean => {
  const found = Object.hasOwn(schema.operators, operator) ? schema.operators[operator] : undefined;
  return isObject(found) && found.takes_value === true;
};

/** A written value: a number, yes or no where it is one, else a text. */
const readValue = (text: string): unknown => {
  if (!/^(true|false|null|-?\d+(\.\d+)?)$/.test(text)) return text;
  // A text that looks like a number and would lose digits as one is an id.
  return { value: text, ...readJson(text) }.value;
};

const textOf = (value: unknown): string =>
  isList(value) ? value.map(String).join(', ') : value === undefined ? '' : String(value);

const readList = (text: string): unknown[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .map(readValue);

/** What the value is compared with. A list is written with commas, which are kept while they are typed. */
const ComparedInput = ({
  value,
  isMany,
  onChange,
}: {
  value: unknown;
  isMany: boolean;
  onChange: (value: unknown) => void;
}) => {
  const [typed, setTyped] = useState(textOf(value));
  const read = isMany ? readList : readValue;
  const isTyped = textOf(read(typed)) === textOf(value);
  return (
    <label className={styles.field}>
      <span>{isMany ? 'These, with commas between them' : 'This'}</span>
      <input
        value={isTyped ? typed : textOf(value)}
        onChange={({ target }) => {
          setTyped(target.value);
          onChange(read(target.value));
        }}
      />
    </label>
  );
};

const isWritable = (value: unknown): boolean =>
  isList(value) ? value.every((one) => !isObject(one) && !isList(one)) : !isObject(value);

const ofValue = { kind: 'value', required: true, values: [], types: [], isBound: false };

/** A condition: a value of the data, what is asked of it, and with what it is compared. Conditions in conditions are edited as JSON. */
export const ConditionEditor = ({
  value,
  pointer,
  schema,
  onChange,
}: {
  value: unknown;
  pointer: string;
  schema: Tables;
  onChange: (value: unknown) => void;
}) => {
  const isPlain = isObject(value) && typeof value.path === 'string' && isWritable(value.value);
  if (!isPlain) return <JsonInput label="Condition" value={value} onChange={onChange} />;
  const operator = typeof value.operator === 'string' ? value.operator : 'truthy';
  const { value: compared, ...rest } = value;
  const choose = (next: string): void => {
    const kept = takesList(next) === isList(compared) ? compared : undefined;
    const begun = kept ?? (takesList(next) ? readList(textOf(compared)) : readValue(textOf(compared)));
    onChange({ ...rest, operator: next, ...(takesValue(schema, next) && { value: begun }) });
  };
  return (
    <fieldset className={styles.group}>
      <legend>Shown if</legend>
      <TextInput
        label="Value of the data"
        description={ofValue}
        value={value.path}
        pointer={below(pointer, 'path')}
        schema={schema}
        onChange={(path) => onChange({ ...value, path })}
      />
      <label className={styles.field}>
        <span>Condition</span>
        <select value={operator} onChange={({ target }) => choose(target.value)}>
          {Object.keys(schema.operators).map((name) => (
            <option key={name} value={name}>
              {operatorWords(name)}
            </option>
          ))}
        </select>
      </label>
      {(operator === 'truthy' || operator === 'falsy') && (
        <p className={styles.about}>A value is set where it is there, and not “no”, 0 or empty.</p>
      )}
      {takesValue(schema, operator) && (
        <ComparedInput
          value={compared}
          isMany={takesList(operator)}
          onChange={(next) => onChange({ ...value, value: next })}
        />
      )}
    </fieldset>
  );
};
