import { isObject } from '../../json.ts';
import type { Tables } from '../document/schema.ts';
import styles from './inspector.module.css';
import { JsonInput } from './json-input.tsx';

const takesValue = (schema: Tables, operator: string): boolean => {
  const found = Object.hasOwn(schema.operators, operator) ? schema.operators[operator] : undefined;
  return isObject(found) && found.takes_value === true;
};

const meaningOf = (schema: Tables, operator: string): string => {
  const found = schema.operators[operator];
  return isObject(found) && typeof found.meaning === 'string' ? found.meaning : '';
};

/** A written value: a number, yes or no where it is one, else a text. */
const readValue = (text: string): unknown => {
  if (/^(true|false|null|-?\d+(\.\d+)?)$/.test(text)) {
    const value: unknown = JSON.parse(text);
    return value;
  }
  return text;
};

/** A condition: a path, an operator and a value. Conditions in conditions are edited as JSON. */
export const ConditionEditor = ({
  value,
  schema,
  onChange,
}: {
  value: unknown;
  schema: Tables;
  onChange: (value: unknown) => void;
}) => {
  const isPlain =
    isObject(value) &&
    typeof value.path === 'string' &&
    !isObject(value.value) &&
    !Array.isArray(value.value);
  if (!isPlain) return <JsonInput label="Condition" value={value} onChange={onChange} />;
  const operator = typeof value.operator === 'string' ? value.operator : 'truthy';
  const { value: compared, ...rest } = value;
  const choose = (next: string): void =>
    onChange({ ...rest, operator: next, ...(takesValue(schema, next) && { value: compared ?? '' }) });
  return (
    <fieldset className={styles.group}>
      <legend>Condition</legend>
      <label className={styles.field}>
        <span>Path</span>
        <input
          value={String(value.path)}
          onChange={({ target }) => onChange({ ...value, path: target.value })}
        />
      </label>
      <label className={styles.field}>
        <span>Operator</span>
        <select value={operator} onChange={({ target }) => choose(target.value)}>
          {Object.keys(schema.operators).map((name) => (
            <option key={name} value={name}>
              {name.replaceAll('_', ' ')} – {meaningOf(schema, name)}
            </option>
          ))}
        </select>
      </label>
      {takesValue(schema, operator) && (
        <label className={styles.field}>
          <span>Value</span>
          <input
            value={compared === undefined ? '' : String(compared)}
            onChange={({ target }) => onChange({ ...value, value: readValue(target.value) })}
          />
        </label>
      )}
    </fieldset>
  );
};
