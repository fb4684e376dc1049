import { pressedAddress, webAddress } from '@stanza/engine/platform';
import { type Check, choice, flag, list, object, type Rule, type Shape, text, typed } from './checks.ts';
import { maxOf } from './table.ts';

/** Longest text object. */
const TEXT_MAX = maxOf('text.text');

/** An address that a person presses. */
export const url = text({ max: maxOf('button.url'), form: pressedAddress });

/** An address that the platform itself fetches. */
export const webUrl = text({ max: maxOf('image.image_url'), form: webAddress });

function plainShape(max: number): Shape {
  return { required: { text: text({ max }) }, optional: { emoji: flag } };
}

function mrkdwnShape(max: number): Shape {
  return { required: { text: text({ max }) }, optional: { verbatim: flag } };
}

/** A `plain_text` object of up to `max` code points. */
export function plainText(max = TEXT_MAX): Check {
  return typed({ plain_text: plainShape(max) });
}

/** A `plain_text` or `mrkdwn` object of up to `max` code points. */
export function anyText(max = TEXT_MAX): Check {
  return typed({ plain_text: plainShape(max), mrkdwn: mrkdwnShape(max) });
}

/** The two text objects as entries of a table of elements. */
export const textShapes = { plain_text: plainShape(TEXT_MAX), mrkdwn: mrkdwnShape(TEXT_MAX) };

/** The colour of a button. */
export const buttonStyle = choice('primary', 'danger');

/** The question asked before an action runs. */
export const confirm = object({
  required: { text: anyText(maxOf('confirm.text')) },
  optional: {
    title: plainText(maxOf('confirm.title')),
    confirm: plainText(maxOf('confirm.confirm')),
    deny: plainText(maxOf('confirm.deny')),
    style: buttonStyle,
  },
});

const optionValue = text({ min: 0, max: maxOf('option.value') });
const optionText = maxOf('option.text');
const optionDescription = maxOf('option.description');

function optionShape(label: Check, description: Check): Shape {
  return { required: { text: label }, optional: { value: optionValue, description } };
}

/** An option of a select: only plain text. */
export const option = object(optionShape(plainText(optionText), plainText(optionDescription)));

/** An option of checkboxes and radio buttons, whose texts may be mrkdwn. */
export const richOption = object(optionShape(anyText(optionText), anyText(optionDescription)));

/** An option of an overflow menu, which may be a link. */
export const overflowOption = object({
  required: { text: plainText(optionText) },
  optional: { value: optionValue, description: plainText(optionDescription), url },
});

/** Options under a heading. */
export const optionGroup = object({
  required: {
    label: plainText(maxOf('option_group.label')),
    options: list(option, 1, maxOf('option_group.options')),
  },
});

/** Which conversations a select offers. */
export const conversationFilter = object({
  optional: {
    include: list(choice('im', 'mpim', 'private', 'public'), 1),
    exclude_external_shared_channels: flag,
    exclude_bot_users: flag,
  },
});

/** When an input reports typed text. */
export const dispatchActionConfig = object({
  optional: { trigger_actions_on: list(choice('on_enter_pressed', 'on_character_entered'), 1) },
});

/** A file of the workspace as an image's source: by id or by address. */
export const workspaceFile = object({
  optional: { id: text(), url: webUrl },
  rules: [
    (value, pointer, report) => {
      if ((value.id === undefined) === (value.url === undefined))
        report(pointer, 'only one of id, url is allowed');
    },
  ],
});

/** An image has exactly one source; a missing one is reported as its usual field. */
export const oneImageSource: Rule = (image, pointer, report) => {
  const byUrl = image.image_url !== undefined;
  const byFile = image.slack_file !== undefined;
  if (!byUrl && !byFile) report(pointer, 'missing required field: image_url');
  if (byUrl && byFile) report(pointer, 'only one of image_url, slack_file is allowed');
};

/** An image inside another block. */
export const imageShape: Shape = {
  required: { alt_text: text({ max: maxOf('image.alt_text') }) },
  optional: { image_url: webUrl, slack_file: workspaceFile },
  rules: [oneImageSource],
};

/** An image inside a card or a container. */
export const image = typed({ image: imageShape });
