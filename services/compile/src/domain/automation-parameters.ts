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
  const isLooped = type === 'array' || items !== undefined;
  if (!isLooped) return `The template reads it as \`${path}\`.`;
  const [whole, each] = type === 'array' ? ['A list', 'item'] : ['An object', 'value'];
  const keys = items?.fields?.map(({ name }) => name) ?? [];
  if (keys.length === 0) return `${whole}, as JSON.`;
  return `${whole}, as JSON; each ${each} has ${keys.join(', ')}.`;
};

/** One parameter for each value to fill in: objects are split up, lists and objects with any keys are given as JSON. */
export const parametersOf = (
  fields: readonly InputField[],
  before: readonly string[] = [],
  isNeeded = true,
): AutomationParameter[] =>
  fields.flatMap((field) => {
    const labels = [...before, field.label];
    const required = isNeeded && field.required;
    // An object that a loop goes over has keys that are not known here.
    if (field.type === 'object' && !field.items && field.fields && field.fields.length > 0) {
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
