import { type Check, flag, integer, list, object, type Rule, type Shape, text } from './checks.ts';
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

const actionId = text({ max: 255 });
const label = text({ max: 75 });
const value = text({ min: 0, max: 2_000 });
const date = text({ pattern: /^\d{4}-\d{2}-\d{2}$/, form: 'a date as YYYY-MM-DD' });
const time = text({ pattern: /^([01]\d|2[0-3]):[0-5]\d$/, form: 'a time as HH:mm' });
const numeral = text({ pattern: /^-?\d+(\.\d+)?$/, form: 'a number written as text' });
const focusable = { action_id: actionId, placeholder: plainText(150), focus_on_load: flag };
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

const buttonShape: Shape = {
  required: { text: plainText(75) },
  optional: { action_id: actionId, value, url, style: buttonStyle, accessibility_label: label, confirm },
};

const feedbackButton: Check = object({
  required: { text: plainText(75), value },
  optional: { accessibility_label: label },
});

const workflow = object({
  required: {
    trigger: object({
      required: { url },
      optional: {
        customizable_input_parameters: list(object({ required: { name: text(), value: text() } }), 0),
      },
    }),
  },
});

/** Elements to press. */
const pressShapes: Record<string, Shape> = {
  button: buttonShape,
  overflow: {
    required: { options: list(overflowOption, 1, 5) },
    optional: { action_id: actionId, confirm },
  },
  workflow_button: {
    required: { text: plainText(75), workflow },
    optional: { action_id: actionId, style: buttonStyle, accessibility_label: label, confirm },
  },
};

/** Dates and times. */
const pickerShapes: Record<string, Shape> = {
  datepicker: { optional: { ...focusable, confirm, initial_date: date } },
  timepicker: { optional: { ...focusable, confirm, initial_time: time, timezone: text() } },
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

const richTextInputShapes: Record<string, Shape> = {
  rich_text_input: {
    optional: {
      ...typedIn,
      initial_value: richTextInputValue,
      min_lines: integer(1, 100),
      max_lines: integer(1, 100),
    },
    rules: [ordered('min_lines', 'max_lines')],
  },
};

/** Fields to type into. */
const typeShapes: Record<string, Shape> = {
  plain_text_input: {
    optional: {
      ...typedIn,
      initial_value: text({ min: 0, max: 3_000 }),
      multiline: flag,
      min_length: integer(0, 3_000),
      max_length: integer(1, 3_000),
    },
    rules: [ordered('min_length', 'max_length')],
  },
  email_text_input: { optional: { ...typedIn, initial_value: text() } },
  url_text_input: { optional: { ...typedIn, initial_value: text() } },
  number_input: {
    required: { is_decimal_allowed: flag },
    optional: { ...typedIn, initial_value: numeral, min_value: numeral, max_value: numeral },
    rules: [ordered('min_value', 'max_value')],
  },
  file_input: {
    optional: { action_id: actionId, filetypes: list(text(), 1), max_files: integer(1, 10) },
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
    required: { icon: text(), text: plainText(75) },
    optional: {
      action_id: actionId,
      value,
      accessibility_label: label,
      confirm,
      visible_to_user_ids: list(text(), 1, 10),
    },
  },
};

/** A plain button, as cards hold it. */
export const buttonElement: Record<string, Shape> = { button: buttonShape };
