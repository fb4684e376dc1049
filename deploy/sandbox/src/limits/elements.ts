import { buttonIcons, calendarDate, numeral, timeOfDay, timeZone } from '@stanza/engine/platform';
import {
  type Check,
  choice,
  codePoints,
  flag,
  integer,
  list,
  object,
  type Rule,
  type Shape,
  text,
} from './checks.ts';
import {
  buttonStyle,
  confirm,
  dispatchActionConfig,
  imageShape,
  overflowOption,
  plainText,
  textShapes,
  url,
} from './composition.ts';
import { richTextInputValue } from './rich-text.ts';
import { multiSelectShapes, selectShapes, tickShapes } from './selects.ts';
import { maxOf } from './table.ts';

const actionId = text({ max: maxOf('element.action_id') });
const label = text({ max: maxOf('button.accessibility_label') });
const value = text({ min: 0, max: maxOf('button.value') });
const viewers = list(text(), 1, maxOf('icon_button.visible_to_user_ids'));
const date = text({ form: calendarDate });
const time = text({ form: timeOfDay });
const number = text({ form: numeral });
const focusable = {
  action_id: actionId,
  placeholder: plainText(maxOf('select.placeholder')),
  focus_on_load: flag,
};
const typedIn = { ...focusable, dispatch_action_config: dispatchActionConfig };

/** `low` is not above `high` where both are given; numbers may be written as text. */
function ordered(low: string, high: string): Rule {
  return (element, pointer, report) => {
    const [least, most] = [element[low], element[high]];
    if (least !== undefined && most !== undefined && Number(least) > Number(most)) {
      report(pointer, `${low} must not be above ${high}`);
    }
  };
}

/** What a field begins with has a length that a person could give it. */
const lengthFits: Rule = (input, pointer, report) => {
  const { initial_value: initial, min_length: min, max_length: max } = input;
  if (typeof initial !== 'string' || initial === '') return;
  const length = codePoints(initial);
  if (typeof max === 'number' && length > max)
    report(`${pointer}/initial_value`, `must be less than ${max + 1} characters`);
  if (typeof min === 'number' && length < min)
    report(`${pointer}/initial_value`, `must be more than ${min - 1} characters`);
};

const wholeNumbers: Rule = (input, pointer, report) => {
  if (input.is_decimal_allowed === true) return;
  for (const name of ['initial_value', 'min_value', 'max_value']) {
    if (input[name] !== undefined && !Number.isInteger(Number(input[name]))) {
      report(`${pointer}/${name}`, 'must be a whole number');
    }
  }
};

const buttonShape: Shape = {
  required: { text: plainText(maxOf('button.text')) },
  optional: {
    action_id: actionId,
    value,
    url,
    style: buttonStyle,
    accessibility_label: label,
    confirm,
    agent_prompt: text({ max: maxOf('button.agent_prompt') }),
    agent_prompt_display: text({ max: maxOf('button.agent_prompt_display') }),
    visible_to_user_ids: viewers,
  },
};

const feedbackButton: Check = object({
  required: { text: plainText(maxOf('feedback_button.text')), value },
  optional: { accessibility_label: label },
});

const parameter = text({ min: 0, max: maxOf('workflow_button.parameter') });

const workflow = object({
  required: {
    trigger: object({
      required: { url },
      optional: {
        customizable_input_parameters: list(
          object({ required: { name: text(), value: parameter } }),
          0,
          maxOf('workflow_button.parameters'),
        ),
      },
    }),
  },
});

/** Elements to press. */
const pressShapes: Record<string, Shape> = {
  button: buttonShape,
  overflow: {
    required: { options: list(overflowOption, 1, maxOf('overflow.options')) },
    optional: { action_id: actionId, confirm },
  },
  workflow_button: {
    required: { text: plainText(maxOf('button.text')), workflow },
    optional: { action_id: actionId, style: buttonStyle, accessibility_label: label, confirm },
  },
};

/** Dates and times. */
const pickerShapes: Record<string, Shape> = {
  datepicker: { optional: { ...focusable, confirm, initial_date: date } },
  timepicker: { optional: { ...focusable, confirm, initial_time: time, timezone: text({ form: timeZone }) } },
};

const momentShapes: Record<string, Shape> = {
  datetimepicker: {
    optional: {
      action_id: actionId,
      focus_on_load: flag,
      confirm,
      // Ten digits of epoch seconds.
      initial_date_time: integer(1_000_000_000, 9_999_999_999),
    },
  },
};

const lines = integer(1, maxOf('rich_text_input.lines'));
const richTextInputShapes: Record<string, Shape> = {
  rich_text_input: {
    optional: {
      ...typedIn,
      initial_value: richTextInputValue,
      min_lines: lines,
      max_lines: lines,
    },
    rules: [ordered('min_lines', 'max_lines')],
  },
};

/** Fields to type into. */
const typeShapes: Record<string, Shape> = {
  plain_text_input: {
    optional: {
      ...typedIn,
      initial_value: text({ min: 0, max: maxOf('plain_text_input.initial_value') }),
      multiline: flag,
      min_length: integer(0, maxOf('plain_text_input.min_length')),
      max_length: integer(1, maxOf('plain_text_input.max_length')),
    },
    rules: [ordered('min_length', 'max_length'), lengthFits],
  },
  email_text_input: { optional: { ...typedIn, initial_value: text() } },
  url_text_input: { optional: { ...typedIn, initial_value: url } },
  number_input: {
    required: { is_decimal_allowed: flag },
    optional: { ...typedIn, initial_value: number, min_value: number, max_value: number },
    rules: [
      ordered('min_value', 'max_value'),
      ordered('min_value', 'initial_value'),
      ordered('initial_value', 'max_value'),
      wholeNumbers,
    ],
  },
  file_input: {
    optional: {
      action_id: actionId,
      filetypes: list(text(), 1),
      max_files: integer(1, maxOf('file_input.max_files')),
    },
  },
};

const choiceShapes = { ...selectShapes, ...multiSelectShapes, ...tickShapes };

/** Elements of an `actions` block. */
export const actionElements: Record<string, Shape> = {
  ...pressShapes,
  ...choiceShapes,
  ...pickerShapes,
  ...momentShapes,
  ...richTextInputShapes,
};

/** Accessories of a section. */
export const accessories: Record<string, Shape> = {
  ...pressShapes,
  ...choiceShapes,
  ...pickerShapes,
  image: imageShape,
};

/** Elements of an `input` block. */
export const inputElements: Record<string, Shape> = {
  ...choiceShapes,
  ...pickerShapes,
  ...momentShapes,
  ...richTextInputShapes,
  ...typeShapes,
};

/** Elements of a `context` block. */
export const contextElements: Record<string, Shape> = { ...textShapes, image: imageShape };

/** Elements of a `context_actions` block. */
export const contextActionElements: Record<string, Shape> = {
  feedback_buttons: {
    required: { positive_button: feedbackButton, negative_button: feedbackButton },
    optional: { action_id: actionId },
  },
  icon_button: {
    required: { icon: choice(...buttonIcons), text: plainText(maxOf('icon_button.text')) },
    optional: {
      action_id: actionId,
      value,
      accessibility_label: label,
      confirm,
      visible_to_user_ids: viewers,
    },
  },
};

/** A plain button, as cards hold it. */
export const buttonElement: Record<string, Shape> = { button: buttonShape };
