import type { AutomationParameter } from '@stanza/contracts';
import type { InputField, InputType } from '@stanza/engine';

const editors: Readonly<Record<InputType, AutomationParameter['type']>> = {
  string: 'text',
  number: 'number',
  boolean: 'boolean',
  date: 'datetime',
  array: 'json',
  object: 'json',
};

const yesAndNo = [
  { label: 'Yes', value: true },
  { label: 'No', value: false },
];

const helpOf = ({ description, type, items, path }: InputField): string => {
  if (description !== undefined) return description;
  if (type !== 'array') return `The template reads it as \`${path}\`.`;
  const keys = items?.fields?.map(({ name }) => name) ?? [];
  if (keys.length === 0) return 'A list, as JSON.';
  return `A list, as JSON; each item has ${keys.join(', ')}.`;
};

/** One parameter for each value to fill in: objects are split up, lists are given as JSON. */
export const parametersOf = (
  fields: readonly InputField[],
  before: readonly string[] = [],
  isNeeded = true,
): AutomationParameter[] =>
  fields.flatMap((field) => {
    const labels = [...before, field.label];
    const required = isNeeded && field.required;
    if (field.type === 'object' && field.fields && field.fields.length > 0) {
      return parametersOf(field.fields, labels, required);
    }
    return [
      {
        name: field.path,
        label: labels.join(' › '),
        type: editors[field.type],
        required,
        ...(field.example !== undefined && { default: field.example }),
        options: field.type === 'boolean' ? yesAndNo : [],
        help: helpOf(field),
      },
    ];
  });
