import { el, link } from '../dom.js';
import { usable } from '../interaction/elements.js';
import { idsOf, nameOf } from '../names.js';
import { renderText } from '../text/inline.js';
import { pictureOf } from './media.js';
import { renderRichText } from './rich-text.js';

/** Text of a text object without its styles, for places that hold no markup. */
export function plainOf(text) {
  return text?.text ?? '';
}

function renderButton({ text, style, url, accessibility_label }) {
  const attributes = { class: `button button-${style ?? 'default'}`, 'aria-label': accessibility_label };
  return url === undefined
    ? el('button', { ...attributes, type: 'button' }, renderText(text))
    : link(url, attributes, renderText(text));
}

function optionOf({ text, value, description }, chosen = []) {
  const selected = chosen.some((option) => option.value === value && plainOf(option.text) === plainOf(text));
  const words = [plainOf(text), plainOf(description)].filter((part) => part !== '');
  return el('option', { value, selected }, words.join(' · '));
}

function optionsOf({ options = [], option_groups = [], initial_option, initial_options = [] }) {
  const chosen = initial_option === undefined ? initial_options : [initial_option];
  const groups = option_groups.map((group) =>
    el(
      'optgroup',
      { label: plainOf(group.label) },
      group.options.map((option) => optionOf(option, chosen)),
    ),
  );
  return [...options.map((option) => optionOf(option, chosen)), ...groups];
}

function renderSelect(element) {
  const label = plainOf(element.placeholder) || 'Select';
  const isMany = element.type.startsWith('multi_');
  return el(
    'select',
    { class: 'select', 'aria-label': label, multiple: isMany },
    isMany ? undefined : el('option', { value: '' }, label),
    optionsOf(element),
  );
}

/** How the ids of what can be chosen begin; for volume there are too many others. */
const lookups = {
  'a person': ['U0'],
  people: ['U0'],
  'a channel': ['C0'],
  channels: ['C0'],
  'a conversation': ['C0', 'D0'],
  conversations: ['C0', 'D0'],
};

/** A menu whose choices only the platform knows: people, channels, or an outside source. */
function renderLookup(kind) {
  return (element) => {
    const ids = [
      element.initial_user ?? element.initial_channel ?? element.initial_conversation ?? [],
      element.initial_users ?? element.initial_channels ?? element.initial_conversations ?? [],
    ].flat();
    const known = lookups[kind] ?? [];
    const others = known.flatMap(idsOf).filter((id) => !ids.includes(id));
    const label = plainOf(element.placeholder) || `Select ${kind}`;
    const isMany = element.type.startsWith('multi_');
    const { initial_option: option } = element;
    return el(
      'select',
      { class: 'select', 'aria-label': label, multiple: isMany },
      isMany ? undefined : el('option', { value: '' }, label),
      option === undefined ? undefined : optionOf(option, [option]),
      ids.map((id) => el('option', { value: id, selected: true }, nameOf(id))),
      others.map((id) => el('option', { value: id }, nameOf(id))),
    );
  };
}

function renderTicks(type) {
  return ({ options, initial_option, initial_options = [], action_id }) => {
    const chosen = initial_option === undefined ? initial_options : [initial_option];
    const group = `${action_id ?? 'ticks'}-${crypto.randomUUID()}`;
    const rows = options.map(({ text, value, description }) =>
      el(
        'label',
        { class: 'tick' },
        el('input', { type, name: group, checked: chosen.some((option) => option.value === value) }),
        el(
          'span',
          {},
          renderText(text),
          description === undefined
            ? undefined
            : el('span', { class: 'faint tick-description' }, renderText(description)),
        ),
      ),
    );
    return el('div', { class: 'ticks' }, rows);
  };
}

function renderOverflow({ options }) {
  const items = options.map(({ text, description, url }) => {
    const parts = [
      renderText(text),
      description === undefined ? undefined : el('span', { class: 'faint' }, renderText(description)),
    ];
    return el('li', {}, url === undefined ? el('button', { type: 'button' }, parts) : link(url, {}, parts));
  });
  return el(
    'details',
    { class: 'overflow' },
    el('summary', { 'aria-label': 'More' }, '⋯'),
    el('ul', {}, items),
  );
}

function renderField(type, valueName) {
  return (element) =>
    el('input', {
      class: 'field-input',
      type,
      value: element[valueName],
      placeholder: plainOf(element.placeholder) || undefined,
      'aria-label': plainOf(element.placeholder) || type,
      min: element.min_value,
      max: element.max_value,
    });
}

function renderTextInput(element) {
  if (element.multiline !== true) return renderField('text', 'initial_value')(element);
  const placeholder = plainOf(element.placeholder) || undefined;
  return el(
    'textarea',
    { class: 'field-input', rows: 3, placeholder, 'aria-label': placeholder ?? 'text' },
    element.initial_value,
  );
}

function renderMoment({ initial_date_time }) {
  const local = (seconds) => {
    const date = new Date(seconds * 1_000);
    return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
  };
  const value = initial_date_time === undefined ? undefined : local(initial_date_time);
  return el('input', { class: 'field-input', type: 'datetime-local', value, 'aria-label': 'date and time' });
}

function renderRichTextInput({ initial_value, placeholder }) {
  const content =
    initial_value === undefined ? el('span', { class: 'faint' }, plainOf(placeholder)) : undefined;
  const value = initial_value?.type === 'rich_text' ? renderRichText(initial_value) : initial_value?.text;
  return el(
    'div',
    {
      class: 'field-input rich-input',
      role: 'textbox',
      contenteditable: 'plaintext-only',
      'aria-label': 'rich text',
    },
    content,
    value,
  );
}

function renderFeedback({ positive_button, negative_button }) {
  const button = (icon, { text, accessibility_label }) =>
    el(
      'button',
      {
        class: 'icon-button',
        type: 'button',
        'aria-label': accessibility_label ?? plainOf(text),
        title: plainOf(text),
      },
      icon,
    );
  return el('span', { class: 'feedback' }, button('👍', positive_button), button('👎', negative_button));
}

function renderIconButton({ icon, text, accessibility_label }) {
  const character = icon === 'trash' ? '🗑️' : '◻';
  return el(
    'button',
    {
      class: 'icon-button',
      type: 'button',
      'aria-label': accessibility_label ?? plainOf(text),
      title: plainOf(text),
    },
    character,
  );
}

const renderers = {
  button: renderButton,
  workflow_button: renderButton,
  icon_button: renderIconButton,
  feedback_buttons: renderFeedback,
  image: (element) => pictureOf(element, 'accessory-picture'),
  static_select: renderSelect,
  multi_static_select: renderSelect,
  external_select: renderLookup('an option'),
  multi_external_select: renderLookup('options'),
  users_select: renderLookup('a person'),
  multi_users_select: renderLookup('people'),
  conversations_select: renderLookup('a conversation'),
  multi_conversations_select: renderLookup('conversations'),
  channels_select: renderLookup('a channel'),
  multi_channels_select: renderLookup('channels'),
  checkboxes: renderTicks('checkbox'),
  radio_buttons: renderTicks('radio'),
  overflow: renderOverflow,
  datepicker: renderField('date', 'initial_date'),
  timepicker: renderField('time', 'initial_time'),
  datetimepicker: renderMoment,
  plain_text_input: renderTextInput,
  rich_text_input: renderRichTextInput,
  email_text_input: renderField('email', 'initial_value'),
  url_text_input: renderField('url', 'initial_value'),
  number_input: renderField('number', 'initial_value'),
  file_input: () => el('input', { class: 'field-input', type: 'file', 'aria-label': 'file' }),
};

/** Draws an element of a block. */
export function renderElement(element) {
  const render = renderers[element.type];
  return render === undefined
    ? el('span', { class: 'unknown-block' }, `Element type ${element.type}`)
    : usable(render(element), element);
}
