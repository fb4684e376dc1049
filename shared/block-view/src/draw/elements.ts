import type { ViewContext } from '../context.ts';
import type {
  BlockElement,
  Button,
  Elements,
  ElementType,
  FeedbackButtons,
  MomentPicker,
  Overflow,
  RichTextInput,
} from '../types/elements.ts';
import type { TextObject } from '../types/text.ts';
import { drawPicture } from './blocks/media.ts';
import { drawRichText } from './blocks/rich-text.ts';
import { el, link } from './dom.ts';
import { drawField, drawTextInput } from './fields.ts';
import { usable } from './interaction/values.ts';
import { drawLookup, drawSelect, drawTicks } from './menus.ts';
import { drawText, plainOf } from './text.ts';

type Drawing<T extends ElementType> = (element: BlockElement<T>, context: ViewContext) => HTMLElement;

function drawButton({ text, style, url, accessibility_label }: Button, context: ViewContext): HTMLElement {
  const attributes = { class: `button button-${style ?? 'default'}`, 'aria-label': accessibility_label };
  return url === undefined
    ? el('button', { ...attributes, type: 'button' }, drawText(text, context))
    : link(url, attributes, drawText(text, context));
}

/** A small button that shows a character and is named by its text. */
function iconButton(icon: string, text: TextObject, label: string | undefined): HTMLElement {
  const name = plainOf(text);
  return el(
    'button',
    { class: 'icon-button', type: 'button', 'aria-label': label ?? name, title: name },
    icon,
  );
}

function drawFeedback({ positive_button: good, negative_button: bad }: FeedbackButtons): HTMLElement {
  return el(
    'span',
    { class: 'feedback' },
    iconButton('👍', good.text, good.accessibility_label),
    iconButton('👎', bad.text, bad.accessibility_label),
  );
}

function drawOverflow({ options }: Overflow, context: ViewContext): HTMLElement {
  const items = options.map(({ text, description, url }) => {
    const words = [
      drawText(text, context),
      description === undefined ? undefined : el('span', { class: 'faint' }, drawText(description, context)),
    ];
    return el('li', {}, url === undefined ? el('button', { type: 'button' }, words) : link(url, {}, words));
  });
  return el(
    'details',
    { class: 'overflow' },
    el('summary', { 'aria-label': 'More' }, '⋯'),
    el('ul', {}, items),
  );
}

function drawMoment({ initial_date_time }: MomentPicker): HTMLElement {
  const local = (seconds: number) => {
    const date = new Date(seconds * 1_000);
    return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
  };
  const value = initial_date_time === undefined ? undefined : local(initial_date_time);
  return el('input', { class: 'field-input', type: 'datetime-local', value, 'aria-label': 'date and time' });
}

function drawRichTextInput({ initial_value, placeholder }: RichTextInput, context: ViewContext): HTMLElement {
  const attributes = {
    class: 'field-input rich-input',
    role: 'textbox',
    contenteditable: 'plaintext-only',
    'aria-label': 'rich text',
  };
  if (initial_value === undefined)
    return el('div', attributes, el('span', { class: 'faint' }, plainOf(placeholder)));
  return el(
    'div',
    attributes,
    initial_value.type === 'rich_text' ? drawRichText(initial_value, context) : initial_value.text,
  );
}

const drawings: { [T in keyof Elements]: Drawing<T> } = {
  button: drawButton,
  workflow_button: drawButton,
  icon_button: ({ icon, text, accessibility_label }) =>
    iconButton(icon === 'trash' ? '🗑️' : '◻', text, accessibility_label),
  feedback_buttons: drawFeedback,
  image: (element) => drawPicture(element, 'accessory-picture'),
  static_select: drawSelect,
  multi_static_select: drawSelect,
  external_select: drawLookup('an option'),
  multi_external_select: drawLookup('options'),
  users_select: drawLookup('a person', 'users'),
  multi_users_select: drawLookup('people', 'users'),
  conversations_select: drawLookup('a conversation', 'conversations'),
  multi_conversations_select: drawLookup('conversations', 'conversations'),
  channels_select: drawLookup('a channel', 'channels'),
  multi_channels_select: drawLookup('channels', 'channels'),
  checkboxes: drawTicks('checkbox'),
  radio_buttons: drawTicks('radio'),
  overflow: drawOverflow,
  datepicker: drawField('date', 'initial_date'),
  timepicker: drawField('time', 'initial_time'),
  datetimepicker: drawMoment,
  plain_text_input: drawTextInput,
  rich_text_input: drawRichTextInput,
  email_text_input: drawField('email', 'initial_value'),
  url_text_input: drawField('url', 'initial_value'),
  number_input: drawField('number', 'initial_value'),
  file_input: () => el('input', { class: 'field-input', type: 'file', 'aria-label': 'file' }),
};

/** The types of elements that can be drawn. */
export const drawnElementTypes: readonly string[] = Object.keys(drawings);

function drawKnown<T extends ElementType>(element: BlockElement<T>, context: ViewContext): HTMLElement {
  return drawings[element.type](element, context);
}

/** Draws an element of a block. One of an unknown type is shown as unknown. */
export function drawElement(element: BlockElement, context: ViewContext): HTMLElement {
  if (!Object.hasOwn(drawings, element.type))
    return el('span', { class: 'unknown-block' }, `Element type ${element.type}`);
  return usable(drawKnown(element, context), element);
}
