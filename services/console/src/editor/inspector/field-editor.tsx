import { type ReactNode, useState } from 'react';
import { isList, isObject, type JsonObject } from '../../json.ts';
import { Icon } from '../../ui/icon.tsx';
import { useFocusAdded } from '../../ui/use-focus-added.ts';
import { below, lastStep } from '../document/pointer.ts';
import { holdsElements, titleOf } from '../document/rows.ts';
import {
  blankOf,
  blankValue,
  type Description,
  figureOf,
  type ShapeDescription,
  shapeIn,
  type Tables,
} from '../document/schema.ts';
import { wordsOf } from '../document/words.ts';
import { ElementList } from './element-list.tsx';
import { formatIn } from './format.ts';
import styles from './inspector.module.css';
import { JsonInput } from './json-input.tsx';
import { MoreKeys } from './more-keys.tsx';
import { DestinationInput, ModalInput } from './reference-input.tsx';
import { keysOf } from './shape-keys.ts';
import { ChoiceInput, type FieldProps, NumberInput, TypeInput } from './simple-inputs.tsx';
import { TextInput } from './text-input.tsx';

/** The table of what elements do. */
const interactions = 'interactions';

const ListInput = ({ label, description, value, pointer, schema, onChange }: FieldProps) => {
  const { form, expect } = useFocusAdded<HTMLFieldSetElement>();
  const { of } = description;
  if (of === undefined || (value !== undefined && !isList(value))) {
    return <JsonInput label={label} value={value} onChange={(next) => onChange(next, pointer)} />;
  }
  const items = isList(value) ? value : [];
  const max = figureOf(schema, description.limit);
  const put = (next: readonly unknown[]): void => onChange(next, pointer);
  const add = (): void => {
    expect(items.length);
    put([...items, blankValue(of, schema)]);
  };
  const swap = (place: number): void => put(items.toSpliced(place - 1, 2, items[place], items[place - 1]));
  return (
    <fieldset ref={form} className={styles.group}>
      <legend>
        {label}
        {max !== undefined && (
          <span className={styles.count} data-over={items.length > max}>
            {items.length} / {max.toLocaleString('en')}
          </span>
        )}
      </legend>
      {items.map((item, place) => (
        <div key={below(pointer, place)} data-added={place} className={styles.item}>
          {isObject(item) && item.type === 'directive' ? (
            <JsonInput
              label={`${titleOf(item)} ${place + 1}`}
              value={item}
              onChange={(next) => put(items.with(place, next))}
            />
          ) : (
            <FieldEditor
              label={`${label} ${place + 1}`}
              description={{ ...of, required: true }}
              value={item}
              pointer={below(pointer, place)}
              schema={schema}
              onChange={onChange}
            />
          )}
          <div className={styles.itemActions}>
            <button
              type="button"
              disabled={place === 0}
              aria-label={`Move ${label} ${place + 1} up`}
              onClick={() => swap(place)}
            >
              <Icon sign="up" />
            </button>
            <button
              type="button"
              aria-label={`Remove ${label} ${place + 1}`}
              onClick={() => put(items.toSpliced(place, 1))}
            >
              <Icon sign="remove" />
            </button>
          </div>
        </div>
      ))}
      <button type="button" className={styles.add} onClick={add}>
        {of.table === interactions ? '+ Add what happens next' : `+ Add to ${label.toLowerCase()}`}
      </button>
    </fieldset>
  );
};

const typeOf = (value: unknown): string =>
  isObject(value) && typeof value.type === 'string' ? value.type : '';

/** A value whose `type` says which object it is: of a table, or one of a few. */
export const TypedInput = ({
  label,
  description,
  value,
  pointer,
  schema,
  onChange,
  isFramed = true,
}: FieldProps & {
  /** A part with a row of its own needs no frame. */
  isFramed?: boolean;
}) => {
  const { variants, table = '', types: listed } = description;
  const types = variants === undefined ? listed : Object.keys(variants);
  const type = typeOf(value);
  const shapeOf = (one: string): ShapeDescription | undefined =>
    variants === undefined ? shapeIn(schema, table, one, value) : variants[one];
  const shape = shapeOf(type);
  const choose = (one: string): void => {
    const kept = isObject(value) && typeof value.text === 'string' ? { text: value.text } : {};
    const next = shapeOf(one);
    onChange({ type: one, ...(next && blankOf(next, schema)), ...kept }, pointer);
  };
  const text = shape?.fields.text;
  if (variants !== undefined && text?.kind === 'text' && isObject(value)) {
    return (
      <div className={styles.text}>
        <FieldEditor
          label={label}
          description={{ ...text, required: description.required }}
          value={value.text}
          pointer={below(pointer, 'text')}
          schema={schema}
          format={type === 'mrkdwn' ? type : undefined}
          onChange={(next, at) => (next === undefined ? onChange(undefined, pointer) : onChange(next, at))}
        />
        {types.length > 1 && (
          <TypeInput label={`Format of ${label.toLowerCase()}`} types={types} type={type} onChange={choose} />
        )}
      </div>
    );
  }
  const form = (
    <>
      {types.length > 1 && (
        <TypeInput
          label={table === interactions ? 'What happens' : 'Type'}
          types={types}
          type={type}
          onChange={choose}
        />
      )}
      {shape !== undefined && isObject(value) ? (
        <ShapeEditor shape={shape} value={value} pointer={pointer} schema={schema} onChange={onChange} />
      ) : (
        <JsonInput label="JSON" value={value} onChange={(next) => onChange(next, pointer)} />
      )}
    </>
  );
  if (!isFramed) return form;
  return (
    <fieldset className={styles.group}>
      <legend>{label}</legend>
      {form}
    </fieldset>
  );
};

/** One value of a block, by what the language says of it. */
export const FieldEditor = (props: FieldProps): ReactNode => {
  const { label, description, value, pointer, schema, onChange } = props;
  switch (description.kind) {
    case 'exact':
      if (lastStep(pointer) === 'modal_id') return <ModalInput {...props} />;
      if (lastStep(pointer) === 'destination_id') return <DestinationInput {...props} />;
      return <TextInput {...props} />;
    case 'text':
    case 'id':
    case 'string':
    case 'item_text':
    case 'path':
    case 'name':
      return <TextInput {...props} />;
    case 'integer':
    case 'number':
    case 'count':
      return <NumberInput {...props} />;
    case 'boolean':
    case 'choice':
      return <ChoiceInput {...props} />;
    case 'list':
    case 'plain_list':
      return <ListInput {...props} />;
    case 'one_of':
    case 'variants':
      return <TypedInput {...props} />;
    case 'nullable':
      return description.of && value !== null ? (
        <FieldEditor {...props} description={description.of} />
      ) : (
        <JsonInput label={label} value={value} onChange={(next) => onChange(next, pointer)} />
      );
    case 'object':
      return description.shape && isObject(value) ? (
        <fieldset className={styles.group}>
          <legend>{label}</legend>
          <ShapeEditor
            shape={description.shape}
            value={value}
            pointer={pointer}
            schema={schema}
            onChange={onChange}
          />
        </fieldset>
      ) : (
        <JsonInput label={label} value={value} onChange={(next) => onChange(next, pointer)} />
      );
    case 'type':
      return null;
    default:
      return <JsonInput label={label} value={value} onChange={(next) => onChange(next, pointer)} />;
  }
};

/** Where what was taken away can be added again. */
const moreKeys = '+';

/** What stays of a value whose field was emptied by typing; undefined where it is no text, number or choice. */
const emptiedFrom = (value: unknown): { rest: unknown } | undefined => {
  if (isObject(value)) return typeof value.text === 'string' ? { rest: { ...value, text: '' } } : undefined;
  return isList(value) ? undefined : { rest: undefined };
};

/**
 * Fields that were emptied stay where they are, though the object has lost their keys: what is typed next belongs there.
 * They go with their form, or when they are taken away.
 */
const useEmptied = (value: JsonObject, pointer: string, onChange: FieldProps['onChange']) => {
  const [emptied, setEmptied] = useState<{ pointer: string; rests: JsonObject }>({ pointer, rests: {} });
  const rests = emptied.pointer === pointer ? emptied.rests : {};
  return {
    shownValue: { ...rests, ...value },
    write: (name: string) => (next: unknown, at: string) => {
      const own = below(pointer, name);
      const rest = rests[name];
      const left = next === undefined && at === own ? emptiedFrom(value[name]) : undefined;
      if (left) setEmptied({ pointer, rests: { ...rests, [name]: left.rest } });
      // The text of an object that is not there: it comes back with its type.
      if (!Object.hasOwn(value, name) && isObject(rest) && at === below(own, 'text'))
        onChange({ ...rest, text: next }, own);
      else onChange(next, at);
    },
    takeAway: (name: string): void => {
      setEmptied({
        pointer,
        rests: Object.fromEntries(Object.entries(rests).filter(([key]) => key !== name)),
      });
      onChange(undefined, below(pointer, name));
    },
  };
};

/** The keys of an object: those that are there or needed as fields, the others to be added. Unknown keys as JSON. */
export const ShapeEditor = ({
  shape,
  value,
  pointer,
  schema,
  onChange,
}: {
  shape: ShapeDescription;
  value: JsonObject;
  pointer: string;
  schema: Tables;
  onChange: FieldProps['onChange'];
}) => {
  const { shownValue, write, takeAway } = useEmptied(value, pointer, onChange);
  const { shown, advanced, absent, unknown } = keysOf(shape, shownValue);
  const { form, expect } = useFocusAdded<HTMLDivElement>();
  const add = (name: string): void => {
    const field = shape.fields[name];
    if (field === undefined) return;
    expect(name);
    onChange(blankValue(field, schema), below(pointer, name));
  };
  const keyField = ([name, field]: readonly [string, Description]): ReactNode => {
    const of = {
      label: wordsOf(name),
      description: field,
      value: shownValue[name],
      pointer: below(pointer, name),
      schema,
      onChange: write(name),
    };
    return (
      <div key={name} data-added={name} className={styles.key}>
        {holdsElements(name, shownValue[name]) ? (
          <ElementList {...of} />
        ) : (
          <FieldEditor {...of} format={formatIn(value, name)} />
        )}
        {!field.required && (
          <button
            type="button"
            className={styles.take}
            aria-label={`Take ${wordsOf(name).toLowerCase()} away`}
            title="Take away"
            onClick={() => {
              expect(moreKeys);
              takeAway(name);
            }}
          >
            <Icon sign="remove" />
          </button>
        )}
      </div>
    );
  };
  return (
    <div ref={form} className={styles.shape}>
      {shown.map(keyField)}
      {unknown.map(([name, inner]) => (
        <JsonInput
          key={name}
          label={`${name} (not known)`}
          value={inner}
          onChange={(next) => onChange(next, below(pointer, name))}
        />
      ))}
      {absent.length > 0 && (
        <div data-added={moreKeys} className={styles.shape}>
          <MoreKeys absent={absent.map(([name]) => name)} onAdd={add} />
        </div>
      )}
      {advanced.length > 0 && (
        <details className={styles.advanced}>
          <summary>Advanced</summary>
          <div className={styles.shape}>{advanced.map(keyField)}</div>
        </details>
      )}
    </div>
  );
};
