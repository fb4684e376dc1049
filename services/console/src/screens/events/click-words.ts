import type { Interaction } from '@stanza/contracts';
import { isList } from '../../json.ts';
import { titled } from '../../ui/words.ts';

/** What people do with an element, by the type that the platform names. */
const deeds: Readonly<Record<string, string>> = {
  button: 'pressed a button',
  workflow_button: 'pressed a button',
  icon_button: 'pressed an icon',
  feedback_buttons: 'gave feedback',
  overflow: 'chose from a menu',
  checkboxes: 'ticked boxes',
  radio_buttons: 'chose an option',
  datepicker: 'chose a date',
  datetimepicker: 'chose a date and time',
  timepicker: 'chose a time',
  plain_text_input: 'wrote a text',
};

/** An id that the service has filled in says nothing to people. */
const isNamed = (actionId: string): boolean => !actionId.startsWith('act_');

/** What somebody did; the element by the name that its author gave it. */
export const deedOf = ({ kind, action_id = '', action_type = '' }: Interaction): string => {
  if (kind === 'view_submission') return 'submitted a form';
  const deed =
    deeds[action_type] ?? (action_type.includes('select') ? 'chose from a list' : 'used an element');
  return isNamed(action_id) && action_id !== '' ? `${deed}: ${titled(action_id)}` : deed;
};

/** What was chosen or entered: one value alone, or values by the names of their fields where these have names. */
export const answersOf = ({ kind, value, form }: Interaction): unknown => {
  if (kind !== 'view_submission') return value ?? undefined;
  const entries = Object.entries(form).filter(([, it]) => it !== null && it !== '');
  if (entries.length === 0) return undefined;
  if (entries.every(([name]) => isNamed(name))) return Object.fromEntries(entries);
  const values = entries.map(([, it]) => it);
  return values.length === 1 && !isList(values[0]) ? values[0] : values;
};
