import { exact } from '../grammar/exact.ts';
import { pressedAddress, webAddress } from '../grammar/forms.ts';
import { list } from '../grammar/list.ts';
import { guarding, object, optional, required, type Shape } from '../grammar/object.ts';
import { atLeastOneOf, exactlyOneOf } from '../grammar/rules.ts';
import { choice, flag, word } from '../grammar/scalar.ts';
import { text } from '../grammar/text.ts';
import { type Kinds, typed } from '../grammar/typed.ts';
import type { LimitName } from '../limits.ts';
import type { Grammar } from '../parse/grammar.ts';

const textHint = 'Write {"type": "mrkdwn", "text": "…"} or {"type": "plain_text", "text": "…"}.';
const plainHint = 'Write {"type": "plain_text", "text": "…"}.';

const plainShape = (limit: LimitName): Shape => ({
  fields: { text: required(text(limit, 'plain')), emoji: optional(flag) },
  elsewhere: { verbatim: 'texts of the type `mrkdwn`' },
});

const mrkdwnShape = (limit: LimitName): Shape => ({
  fields: { text: required(text(limit, 'mrkdwn')), verbatim: optional(flag) },
  elsewhere: { emoji: 'texts of the type `plain_text`' },
});

/** Both kinds of text object, with a limit on their text, as items of a list. */
export const textKinds = (limit: LimitName): Kinds => ({
  plain_text: { shape: plainShape(limit) },
  mrkdwn: { shape: mrkdwnShape(limit) },
});

/** A text object without marks, under a key. */
export const plainText = (limit: LimitName): Grammar => {
  const kinds = { plain_text: { shape: plainShape(limit), silent: true } };
  return typed(() => kinds, { what: 'text', hint: plainHint });
};

const silently = (kinds: Kinds): Kinds =>
  Object.fromEntries(Object.entries(kinds).map(([type, kind]) => [type, { ...kind, silent: true }]));

/** A text object of either kind, under a key. */
export const anyText = (limit: LimitName): Grammar => {
  const kinds = silently(textKinds(limit));
  return typed(() => kinds, { what: 'text', hint: textHint });
};

/** A text object of either kind as an item of a list. */
export const textItem = (limit: LimitName): Grammar => {
  const kinds = textKinds(limit);
  return typed(() => kinds, { what: 'text', hint: textHint });
};

/** In a list of text objects, the note about further items is one of them. */
export const textNote = (given: unknown): unknown => ({ type: 'mrkdwn', text: given });

/** The colour of a button. */
export const buttonStyle = choice('primary', 'danger');

/**
 * The question asked before an action runs. An element is never shown without the question of its author: where the
 * question is dropped, so is the element.
 */
export const confirm = guarding(
  object('confirmation dialog', {
    fields: {
      title: optional(plainText('confirm.title')),
      text: required(anyText('confirm.text')),
      confirm: optional(plainText('confirm.confirm')),
      deny: optional(plainText('confirm.deny')),
      style: optional(buttonStyle),
    },
  }),
);

const optionShape: Shape = {
  fields: {
    text: required(plainText('option.text')),
    value: optional(exact('option.value', { mayBeEmpty: true })),
    description: optional(plainText('option.description')),
  },
  elsewhere: { url: 'options of an `overflow` menu' },
};

/** When an input reports what is typed. */
export const dispatchActionConfig = object('dispatch configuration', {
  fields: {
    trigger_actions_on: optional(
      list('dispatch.trigger_actions_on', {
        item: choice('on_enter_pressed', 'on_character_entered'),
      }),
    ),
  },
});

/** An option of checkboxes and radio buttons, whose texts may be mrkdwn. */
export const richOption = object('option', {
  ...optionShape,
  fields: {
    ...optionShape.fields,
    text: required(anyText('option.text')),
    description: optional(anyText('option.description')),
  },
});

/** An option of a select. */
export const option = object('option', optionShape);

/** An option of an overflow menu, which may be a link. */
export const overflowOption = object('option', {
  fields: { ...optionShape.fields, url: optional(exact('option.url', { form: pressedAddress })) },
});

/** Options under a heading. */
export const optionGroup = object('option group', {
  fields: {
    label: required(plainText('option_group.label')),
    options: required(list('option_group.options', { item: option, bindable: true })),
  },
});

/** Which conversations a select offers. With a part of it missing, more would be offered than its author wanted. */
export const conversationFilter = object('conversation filter', {
  fields: {
    include: guarding(list('filter.include', { item: choice('im', 'mpim', 'private', 'public') })),
    exclude_external_shared_channels: guarding(flag),
    exclude_bot_users: guarding(flag),
  },
  rules: [atLeastOneOf('include', 'exclude_external_shared_channels', 'exclude_bot_users')],
});

/** A file of the workspace as the source of an image. */
const workspaceFile = object('file', {
  fields: { id: optional(word), url: optional(exact('image.image_url', { form: webAddress })) },
  rules: [exactlyOneOf('id', 'url')],
});

/** An image, as an element and as a block. */
export const imageShape: Shape = {
  fields: {
    image_url: optional(exact('image.image_url', { form: webAddress })),
    slack_file: optional(workspaceFile),
    alt_text: required(text('image.alt_text', 'plain')),
  },
  rules: [exactlyOneOf('image_url', 'slack_file')],
};
