import type { Interaction } from '@stanza/contracts';
import { isList, isObject } from '../../json.ts';
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

/** The questions of inputs, by the ids of their elements. */
export const questionsOf = (blocks: readonly unknown[]): ReadonlyMap<string, string> =>
  new Map(
    blocks.filter(isObject).flatMap(({ label, element }) => {
      const id = isObject(element) ? element.action_id : undefined;
      const text = isObject(label) ? label.text : undefined;
      return typeof id === 'string' && typeof text === 'string' ? [[id, text] as const] : [];
    }),
  );

const isAnswered = ({ form }: Interaction): boolean =>
  Object.values(form).some((it) => it !== null && it !== '');

/** Whether something was chosen or entered. */
export const hasAnswers = (interaction: Interaction): boolean =>
  interaction.kind === 'view_submission' ? isAnswered(interaction) : (interaction.value ?? null) !== null;

/** What was chosen or entered: one value alone, or values by their questions, or else by the names of their fields. */
export const answersOf = (
  { kind, value, form }: Interaction,
  questions: ReadonlyMap<string, string>,
): unknown => {
  if (kind !== 'view_submission') return value;
  const entries = Object.entries(form).filter(([, it]) => it !== null && it !== '');
  const named = new Map(entries.map(([id, it]) => [questions.get(id) ?? titled(id), it]));
  // Two questions of the same words would show one answer alone.
  const areDistinct = named.size === entries.length;
  if (areDistinct && entries.every(([id]) => questions.has(id) || isNamed(id)))
    return Object.fromEntries(named);
  const values = entries.map(([, it]) => it);
  return values.length === 1 && !isList(values[0]) ? values[0] : values;
};
