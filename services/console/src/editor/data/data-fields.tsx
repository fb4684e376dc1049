import type { InputField } from '@stanza/engine';
import { type DOMAttributes, useId, useState } from 'react';
import { isList, isObject } from '../../json.ts';
import { Icon } from '../../ui/icon.tsx';
import { numberIn, useTypedText } from '../../ui/typed-text.ts';
import { useFocusAdded } from '../../ui/use-focus-added.ts';
import { counted, singular } from '../../ui/words.ts';
import { JsonInput } from '../inspector/json-input.tsx';
import styles from './data.module.css';
import { linesAsItems, linesIn, newItem, newKey, renamedKey } from './data-values.ts';

interface ValueProps {
  field: InputField;
  label: string;
  value: unknown;
  onChange: (value: unknown) => void;
}

const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);

const hintOf = ({ description, type }: InputField): string =>
  description ?? (type === 'date' ? 'As in 2026-11-22, or 2026-11-22T09:30:00Z where the time matters' : '');

/** What a number may begin with. As a value it would be a text, and the field one for texts. */
const unfinished = /^[+-]?\.?$/;

const valueIn = (text: string, type: InputField['type']): unknown => {
  if (type === 'number') return unfinished.test(text.trim()) ? undefined : numberIn(text);
  return text === '' && type === 'date' ? undefined : text;
};

const TextValue = ({ field, label, value, onChange }: ValueProps) => {
  const id = useId();
  const { type, required } = field;
  const { text, type: keep } = useTypedText(value, textOf);
  // The type follows the value, and another field would lose the focus.
  const [hasLines] = useState(type === 'string');
  const isMissing = required && value === undefined;
  const change = (next: string): void => {
    const read = valueIn(next, type);
    keep(next, read);
    onChange(read);
  };
  const shared = {
    id,
    value: text,
    // Not the browser's own rule: a message may go out without the value once that was agreed to.
    'aria-required': required,
    'aria-describedby': `${id}-hint`,
    onChange: ({ target }: { target: { value: string } }) => change(target.value),
  };
  return (
    <div className={styles.field} data-missing={isMissing}>
      <label htmlFor={id}>
        {label}
        {required && (
          <span className={styles.required} aria-hidden="true">
            required
          </span>
        )}
      </label>
      {hasLines ? (
        <textarea {...shared} rows={1} autoComplete="off" />
      ) : (
        <input {...shared} inputMode={type === 'number' ? 'decimal' : undefined} autoComplete="off" />
      )}
      <p id={`${id}-hint`} className={styles.hint}>
        {hintOf(field)}
      </p>
    </div>
  );
};

const BooleanValue = ({ field, label, value, onChange }: ValueProps) => (
  <label className={styles.field}>
    <span>{label}</span>
    <select
      value={value === undefined ? '' : String(value)}
      aria-required={field.required}
      onChange={({ target }) => onChange(target.value === '' ? undefined : target.value === 'true')}
    >
      <option value="">missing</option>
      <option value="true">yes</option>
      <option value="false">no</option>
    </select>
  </label>
);

/** What a line becomes in a list of texts, or of objects with a single text; undefined in other lists. */
const lineReader = (item: InputField | undefined): ((line: string) => unknown) | undefined => {
  if (item?.type === 'string') return (line) => line;
  const [only, ...others] = item?.type === 'object' ? (item.fields ?? []) : [];
  if (only?.type !== 'string' || others.length > 0 || item?.items) return undefined;
  return (line) => ({ [only.name]: line });
};

const ListValue = ({ field, label, value, onChange }: ValueProps) => {
  const items = isList(value) ? value : [];
  const { items: item } = field;
  const { form, expect } = useFocusAdded<HTMLFieldSetElement>();
  const add = (): void => {
    expect(items.length);
    onChange([...items, newItem(item)]);
  };
  const labelOf = (place: number): string => `${singular(label)} ${place + 1}`;
  const itemOfLine = lineReader(item);
  /** As in a list of a text editor: Enter begins the next item, and lines that are pasted are items. */
  const keysAt = (place: number): Pick<DOMAttributes<HTMLDivElement>, 'onKeyDown' | 'onPaste'> => ({
    onKeyDown: (event) => {
      if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
      if (event.defaultPrevented || !(event.target instanceof HTMLTextAreaElement)) return;
      event.preventDefault();
      add();
    },
    onPaste: (event) => {
      if (event.defaultPrevented || !(event.target instanceof HTMLTextAreaElement) || !itemOfLine) return;
      const { selectionStart, selectionEnd, value: own } = event.target;
      const isReplaced = selectionStart === 0 && selectionEnd === own.length;
      const lines = linesIn(event.clipboardData.getData('text/plain'));
      const pasted = linesAsItems(items, place, lines.map(itemOfLine), isReplaced);
      if (pasted === undefined) return;
      event.preventDefault();
      onChange(pasted);
    },
  });
  return (
    <fieldset ref={form} className={styles.group}>
      <legend>
        {label}{' '}
        <span className={styles.hint}>{value === undefined ? 'missing' : counted(items.length, 'item')}</span>
      </legend>
      {items.map((one, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items have no name but their place
        <div key={place} data-added={place} className={styles.item} {...(itemOfLine && keysAt(place))}>
          {item === undefined ? (
            <JsonInput
              label={labelOf(place)}
              value={one}
              onChange={(next) => onChange(items.with(place, next ?? null))}
            />
          ) : (
            <DataValue
              field={item}
              label={labelOf(place)}
              value={one}
              onChange={(next) => onChange(items.with(place, next ?? null))}
            />
          )}
          <button
            type="button"
            className={styles.remove}
            aria-label={`Remove ${labelOf(place)}`}
            onClick={() => onChange(items.toSpliced(place, 1))}
          >
            <Icon sign="remove" />
          </button>
        </div>
      ))}
      <button type="button" className={styles.add} onClick={add}>
        Add item to {label}
      </button>
      {itemOfLine && items.length > 0 && (
        <p className={styles.hint}>Enter adds an item. Lines that you paste become items.</p>
      )}
    </fieldset>
  );
};

/** The values of an object that a loop goes over, each with its key. */
const EntryValues = ({
  field: { fields = [], items },
  label,
  value,
  onChange,
}: Omit<ValueProps, 'value'> & { value: Readonly<Record<string, unknown>> }) => {
  const named = fields.map(({ name }) => name);
  const others = Object.entries(value).filter(([key]) => !named.includes(key));
  const put = (key: string, next: unknown): void => onChange({ ...value, [key]: next ?? null });
  const remove = (key: string): void => {
    const { [key]: _, ...rest } = value;
    onChange(rest);
  };
  const { form, expect } = useFocusAdded<HTMLDivElement>();
  const add = (): void => {
    expect(others.length);
    put(newKey(value), newItem(items));
  };
  return (
    <div ref={form} className={styles.fields}>
      {others.map(([key, one], place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the key of an entry changes while it is typed
        <div key={place} data-added={place} className={styles.item}>
          <label className={styles.field}>
            <span>Key</span>
            <input
              value={key}
              autoComplete="off"
              onChange={({ target }) => onChange(renamedKey(value, key, target.value))}
            />
          </label>
          {items && (
            <DataValue
              field={items}
              label={`${label} ${key}`}
              value={one}
              onChange={(next) => put(key, next)}
            />
          )}
          <button
            type="button"
            className={styles.remove}
            aria-label={`Remove ${label} ${key}`}
            onClick={() => remove(key)}
          >
            <Icon sign="remove" />
          </button>
        </div>
      ))}
      <button type="button" className={styles.add} onClick={add}>
        Add entry to {label}
      </button>
    </div>
  );
};

/** One value of the data, by the kind that the template reads it as. */
export const DataValue = (props: ValueProps) => {
  const { field, label, value, onChange } = props;
  if (field.type === 'boolean') return <BooleanValue {...props} />;
  if (field.type === 'array') return <ListValue {...props} />;
  if (field.type !== 'object') return <TextValue {...props} />;
  const object = isObject(value) ? value : {};
  return (
    <fieldset className={styles.group}>
      <legend>{label}</legend>
      <DataFields fields={field.fields ?? []} value={object} onChange={onChange} />
      {field.items && <EntryValues {...props} value={object} />}
    </fieldset>
  );
};

/** The values that a template reads. Values that it does not read stay as they are. */
export const DataFields = ({
  fields,
  value,
  onChange,
}: {
  fields: readonly InputField[];
  value: Readonly<Record<string, unknown>>;
  onChange: (value: Readonly<Record<string, unknown>>) => void;
}) => (
  <div className={styles.fields}>
    {fields.map((field) => (
      <DataValue
        key={field.path}
        field={field}
        label={field.label}
        value={Object.hasOwn(value, field.name) ? value[field.name] : undefined}
        onChange={(next) => {
          const { [field.name]: _, ...rest } = value;
          onChange(next === undefined ? rest : { ...value, [field.name]: next });
        }}
      />
    ))}
  </div>
);
