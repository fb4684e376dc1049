import { exact } from '../../grammar/exact.ts';
import { pressedAddress } from '../../grammar/forms.ts';
import { id } from '../../grammar/id.ts';
import { list } from '../../grammar/list.ts';
import { guarding, object, optional, required } from '../../grammar/object.ts';
import { choice, word } from '../../grammar/scalar.ts';
import { text } from '../../grammar/text.ts';
import { type Kinds, pick, typed } from '../../grammar/typed.ts';
import { interactive } from '../../interactions/interactive.ts';
import { buttonStyle, confirm, imageShape, overflowOption, plainText, textKinds } from '../composition.ts';
import { buttonIcons } from '../platform-lists.ts';
import { fields, momentPickers, pickers, richTextInputs, workflow } from './pickers.ts';
import { selects, ticks } from './selects.ts';

const actionId = optional(id('element.action_id'));
/** What a machine reads back when a person presses: never cut, since a shortened value is a different one. */
const value = exact('button.value', { mayBeEmpty: true });
const address = exact('button.url', { form: pressedAddress });
/** Without this list everybody sees the button, so an empty one takes the button with it. */
const viewers = guarding(list('icon_button.visible_to_user_ids', { item: word }));
const spoken = optional(text('button.accessibility_label', 'plain'));

const buttons: Kinds = {
  button: {
    shape: {
      fields: {
        text: required(plainText('button.text')),
        action_id: actionId,
        url: optional(address),
        value: optional(value),
        style: optional(buttonStyle),
        accessibility_label: spoken,
        confirm,
        // What a press asks an agent: a shortened question is a different one.
        agent_prompt: optional(exact('button.agent_prompt')),
        agent_prompt_display: optional(text('button.agent_prompt_display', 'plain')),
        visible_to_user_ids: viewers,
      },
    },
  },
  overflow: {
    shape: {
      fields: {
        action_id: actionId,
        options: required(list('overflow.options', { item: overflowOption, bindable: true })),
        confirm,
      },
    },
  },
  workflow_button: {
    shape: {
      fields: {
        text: required(plainText('button.text')),
        workflow: required(workflow),
        action_id: actionId,
        style: optional(buttonStyle),
        accessibility_label: spoken,
        confirm,
      },
    },
  },
};

const feedbackButton = object('feedback button', {
  fields: {
    text: required(plainText('feedback_button.text')),
    value: required(value),
    accessibility_label: spoken,
  },
});

const answers: Kinds = {
  feedback_buttons: {
    shape: {
      fields: {
        action_id: actionId,
        positive_button: required(feedbackButton),
        negative_button: required(feedbackButton),
      },
    },
  },
  icon_button: {
    shape: {
      fields: {
        icon: required(choice(...buttonIcons)),
        text: required(plainText('icon_button.text')),
        action_id: actionId,
        value: optional(value),
        accessibility_label: spoken,
        visible_to_user_ids: viewers,
        confirm,
      },
    },
  },
};

const besideText = { ...buttons, ...selects, ...ticks, ...pickers };

/** Elements that a person acts with; these carry an `action_id` and may carry an `interaction`. */
export const actionElements: Kinds = interactive({
  ...besideText,
  ...momentPickers,
  ...richTextInputs,
  ...fields,
  ...answers,
});

const shown: Kinds = { image: { shape: imageShape } };

const namesOf = (...tables: readonly Kinds[]): string[] => tables.flatMap((table) => Object.keys(table));

const inActions = pick(actionElements, ...namesOf(besideText, momentPickers, richTextInputs));
const inSections = { ...pick(actionElements, ...namesOf(besideText)), ...shown };
const inInputs = pick(
  actionElements,
  ...namesOf(selects, ticks, pickers, momentPickers, richTextInputs, fields),
);
const inContextActions = pick(actionElements, ...namesOf(answers));
const inContext = { ...textKinds('text.text'), ...shown };
const inCards = pick(actionElements, 'button');

const element = { what: 'element', table: 'elements' } as const;

/** Elements of an `actions` block. */
export const elementOfActions = typed(() => inActions, element);
/** Accessories of a section. */
export const accessory = typed(() => inSections, element);
/** Elements of an `input` block. */
export const elementOfInput = typed(() => inInputs, element);
/** Elements of a `context_actions` block. */
export const elementOfContextActions = typed(() => inContextActions, element);
/** Buttons of a card. */
export const buttonOfCard = typed(() => inCards, element);
/** An image inside a card or a container. */
export const imageElement = typed(() => shown, element);
/** Elements of a `context` block. */
export const elementOfContext = typed(() => inContext, { what: 'element' });

/** Every element by its type. */
export const elements: Kinds = { ...actionElements, ...shown };
