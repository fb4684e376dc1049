import { type ReactNode, useId } from 'react';
import { isObject, type JsonObject } from '../../json.ts';
import { metadataKeys, type TemplateDocument, textOf } from '../document/document.ts';
import { below, isBlockAt, valueAt } from '../document/pointer.ts';
import { titleOf } from '../document/rows.ts';
import {
  type Description,
  descriptionOfPart,
  type ShapeDescription,
  shapeIn,
  type Tables,
} from '../document/schema.ts';
import { wordsOf } from '../document/words.ts';
import { ConditionEditor } from './condition-editor.tsx';
import { ShapeEditor, TypedInput } from './field-editor.tsx';
import styles from './inspector.module.css';
import { JsonInput } from './json-input.tsx';
import type { FieldProps } from './simple-inputs.tsx';

const described = (kind: string, required = false): Description => ({
  kind,
  required,
  values: [],
  types: [],
  isBound: false,
});

/** The keys of loops, conditions and groups besides the blocks in them. */
const directiveShapes: Readonly<Record<string, ShapeDescription>> = {
  '#each': {
    fields: {
      path: described('path', true),
      as: described('name'),
      max_items: described('count'),
      overflow_text: described('string'),
    },
  },
  '#if': { fields: {} },
  '#block': { fields: { name: described('string') } },
  '#with': { fields: {} },
  '#use': { fields: {} },
};

const shapeOf = (value: JsonObject, schema: Tables): ShapeDescription | undefined => {
  if (value.type === 'directive') return directiveShapes[String(value.directive)];
  return typeof value.type === 'string' ? shapeIn(schema, 'blocks', value.type, value) : undefined;
};

/** The form of the chosen block. */
export const BlockInspector = ({
  document,
  pointer,
  schema,
  onChange,
}: {
  document: TemplateDocument;
  pointer: string;
  schema: Tables;
  onChange: FieldProps['onChange'];
}) => {
  const value = valueAt(document, pointer);
  if (value === undefined) return null;
  const part = isBlockAt(pointer) ? undefined : descriptionOfPart(document, pointer, schema);
  const shape = isObject(value) ? shapeOf(value, schema) : undefined;
  return (
    <section className={styles.inspector} aria-label={`${titleOf(value)} fields`}>
      <h2>{titleOf(value)}</h2>
      {isObject(value) && value.directive === '#if' && (
        <ConditionEditor
          value={value.condition}
          pointer={below(pointer, 'condition')}
          schema={schema}
          onChange={(next) => onChange(next, below(pointer, 'condition'))}
        />
      )}
      {part !== undefined ? (
        <TypedInput
          label={titleOf(value)}
          description={{ ...part, required: true }}
          value={value}
          pointer={pointer}
          schema={schema}
          onChange={onChange}
          isFramed={false}
        />
      ) : isObject(value) && shape !== undefined ? (
        <ShapeEditor shape={shape} value={value} pointer={pointer} schema={schema} onChange={onChange} />
      ) : (
        <JsonInput label="Block as JSON" value={value} onChange={(next) => onChange(next, pointer)} />
      )}
    </section>
  );
};

const hints: Readonly<Record<string, string>> = {
  fallback_text: 'The text of the notification; may hold placeholders.',
  user_name: 'The name that the message is posted under.',
  icon_emoji: 'As in :rocket:',
  locale: 'How numbers and dates are written, as in en-GB.',
  timezone: 'As in Europe/Berlin.',
};

const labels: Readonly<Record<string, string>> = {
  fallback_text: 'Notification text',
  user_name: 'Sender name',
  icon_emoji: 'Sender icon',
  locale: 'Language and region',
  timezone: 'Time zone',
};

/** The form of what the template says of itself. */
export const TemplateInspector = ({
  document,
  onChange,
  children,
}: {
  document: TemplateDocument;
  onChange: FieldProps['onChange'];
  /** Settings that are no part of the document. */
  children: ReactNode;
}) => {
  const id = useId();
  return (
    <details className={styles.template}>
      <summary>Template settings</summary>
      <div className={styles.shape}>
        {metadataKeys.map((key) =>
          key === 'strict' ? (
            <label key={key} className={styles.check}>
              <input
                type="checkbox"
                checked={document.strict === true}
                onChange={({ target }) => onChange(target.checked ? true : undefined, '/strict')}
              />
              <span>A missing value is an error</span>
            </label>
          ) : (
            key !== 'name' && (
              <div key={key} className={styles.field}>
                <label htmlFor={`${id}-${key}`}>{labels[key] ?? wordsOf(key)}</label>
                <input
                  id={`${id}-${key}`}
                  value={textOf(document, key)}
                  aria-describedby={hints[key] && `${id}-${key}-hint`}
                  onChange={({ target }) =>
                    onChange(target.value === '' ? undefined : target.value, `/${key}`)
                  }
                />
                {hints[key] && (
                  <p id={`${id}-${key}-hint`} className={styles.about}>
                    {hints[key]}
                  </p>
                )}
              </div>
            )
          ),
        )}
        {children}
      </div>
    </details>
  );
};
