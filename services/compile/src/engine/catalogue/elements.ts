import { interactive } from '../interactivity/interactive.ts';
import { exact } from '../spec/exact.ts';
import { id } from '../spec/id.ts';
import { list } from '../spec/list.ts';
import { optional, required } from '../spec/object.ts';
import { text } from '../spec/text.ts';
import { type Kinds, pick } from '../spec/typed.ts';
import { buttonStyle, confirm, imageShape, overflowOption, plainText, textKinds } from './composition.ts';
import { selects } from './selects.ts';

const actionId = optional(id('element.action_id'));

const buttons: Kinds = {
  button: {
    shape: {
      fields: {
        text: required(plainText('button.text')),
        action_id: actionId,
        url: optional(exact('button.url')),
        value: optional(text('button.value', 'plain', { mayBeEmpty: true })),
        style: optional(buttonStyle),
        accessibility_label: optional(text('button.accessibility_label', 'plain')),
        confirm,
      },
    },
  },
  overflow: {
    shape: {
      fields: {
        action_id: actionId,
        options: required(list('overflow.options', { item: overflowOption })),
        confirm,
      },
    },
  },
};

/** Elements that a person acts with; these carry an `action_id` and may carry an `interaction`. */
export const actionElements: Kinds = interactive({ ...buttons, ...selects });

const shown: Kinds = { image: { shape: imageShape } };

/** What an `actions` block holds. */
export const elementsOfActions = (): Kinds => actionElements;

/** What stands beside the text of a section. */
export const accessories = (): Kinds => ({ ...actionElements, ...shown });

/** What a `context` block holds. */
export const elementsOfContext = (): Kinds => ({ ...textKinds('text.text'), ...shown });

/** Every element by its type. */
export const elements: Kinds = { ...actionElements, ...pick(shown, 'image') };
