import { exact } from '../../grammar/exact.ts';
import { calendarDate, numeral, pressedAddress, timeOfDay, timeZone } from '../../grammar/forms.ts';
import { id } from '../../grammar/id.ts';
import { list } from '../../grammar/list.ts';
import { type Field, guarding, object, optional, required, type Shape } from '../../grammar/object.ts';
import { inOrder, lengthWithin, wholeUnless } from '../../grammar/rules.ts';
import { flag, integer, moment, word } from '../../grammar/scalar.ts';
import { text } from '../../grammar/text.ts';
import { type Kinds, typed } from '../../grammar/typed.ts';
import { confirm, dispatchActionConfig, plainText } from '../composition.ts';
import { richTextInside } from '../rich-text.ts';
import { noteSurface } from '../third-party.ts';

type Fields = Record<string, Field>;

const named: Fields = { action_id: optional(id('element.action_id')), focus_on_load: optional(flag) };
const focusable: Fields = { ...named, placeholder: optional(plainText('select.placeholder')) };
const typedIn: Fields = { ...focusable, dispatch_action_config: optional(dispatchActionConfig) };

const date = exact('picker.date', { form: calendarDate });
const time = exact('picker.time', { form: timeOfDay });

/** Choices of a day, a time, or both. */
export const pickers: Kinds = {
  datepicker: { shape: { fields: { ...focusable, confirm, initial_date: optional(date) } } },
  timepicker: {
    shape: {
      fields: {
        ...focusable,
        confirm,
        initial_time: optional(time),
        timezone: optional(exact('picker.timezone', { form: timeZone })),
      },
    },
  },
};

/** A moment, which stands next to no section. */
export const momentPickers: Kinds = {
  datetimepicker: {
    shape: {
      fields: { ...named, confirm, initial_date_time: optional(moment('picker.date_time')) },
    },
  },
};

const textToStartWith: Shape = { fields: { text: required(text('rich_text.text', 'plain')) } };
const initialRichText = typed(() => ({ rich_text: richTextInside, text: { shape: textToStartWith } }), {
  what: 'rich text',
});
const lines = optional(integer('rich_text_input.lines'));

/** Fields for formatted text. */
export const richTextInputs: Kinds = {
  rich_text_input: {
    shape: {
      fields: {
        ...typedIn,
        initial_value: optional(initialRichText),
        min_lines: lines,
        max_lines: lines,
      },
      rules: [inOrder('min_lines', 'max_lines')],
    },
  },
};

const number = optional(exact('number_input.value', { form: numeral }));

/** Fields to type into or to add files to; inside an `input` block alone. */
export const fields: Kinds = {
  plain_text_input: {
    shape: {
      fields: {
        ...typedIn,
        initial_value: optional(text('plain_text_input.initial_value', 'plain', { mayBeEmpty: true })),
        multiline: optional(flag),
        min_length: optional(integer('plain_text_input.min_length')),
        max_length: optional(integer('plain_text_input.max_length')),
      },
      rules: [inOrder('min_length', 'max_length'), lengthWithin('initial_value', 'min_length', 'max_length')],
    },
  },
  email_text_input: {
    shape: { fields: { ...typedIn, initial_value: optional(exact('email_text_input.initial_value')) } },
  },
  url_text_input: {
    shape: {
      fields: {
        ...typedIn,
        initial_value: optional(exact('url_text_input.initial_value', { form: pressedAddress })),
      },
    },
  },
  number_input: {
    shape: {
      fields: {
        ...typedIn,
        is_decimal_allowed: required(flag),
        initial_value: number,
        min_value: number,
        max_value: number,
      },
      rules: [
        inOrder('min_value', 'max_value'),
        inOrder('min_value', 'initial_value', 'initial_value'),
        inOrder('initial_value', 'max_value'),
        ...['initial_value', 'min_value', 'max_value'].map((key) => wholeUnless(key, 'is_decimal_allowed')),
      ],
    },
  },
  file_input: {
    note: noteSurface('view', 'a `file_input`'),
    shape: {
      fields: {
        action_id: optional(id('element.action_id')),
        filetypes: guarding(list('file_input.filetypes', { item: word })),
        max_files: optional(integer('file_input.max_files')),
      },
    },
  },
};

const parameters = list('workflow_button.parameters', {
  item: object('parameter', {
    fields: {
      name: required(word),
      value: required(exact('workflow_button.parameter', { mayBeEmpty: true })),
    },
  }),
});

/** The trigger of a workflow of the platform. */
export const workflow = object('workflow', {
  fields: {
    trigger: required(
      object('trigger', {
        fields: {
          url: required(exact('button.url', { form: pressedAddress })),
          customizable_input_parameters: optional(parameters),
        },
      }),
    ),
  },
});
