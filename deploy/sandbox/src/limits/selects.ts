import {
  type Check,
  exactlyOneOf,
  flag,
  holds,
  integer,
  isJsonObject,
  type JsonObject,
  list,
  listIn,
  type Rule,
  type Shape,
  text,
} from './checks.ts';
import { confirm, conversationFilter, option, optionGroup, plainText, richOption } from './composition.ts';
import { maxOf } from './table.ts';

const actionId = text({ max: maxOf('element.action_id') });
const placeholder = plainText(maxOf('select.placeholder'));
const selectable = { action_id: actionId, confirm, focus_on_load: flag };
const placeable = { ...selectable, placeholder };
const several = { ...placeable, max_selected_items: integer(1) };

function offered(element: JsonObject): readonly unknown[] {
  const grouped = listIn(element, 'option_groups').flatMap((group) =>
    isJsonObject(group) ? listIn(group, 'options') : [],
  );
  return [...listIn(element, 'options'), ...grouped];
}

const initialIsOffered: Rule = (element, pointer, report) => {
  if (element.initial_option !== undefined && !holds(offered(element), element.initial_option)) {
    report(`${pointer}/initial_option`, 'initial option must equal one of the options');
  }
  listIn(element, 'initial_options').forEach((initial, index) => {
    if (!holds(offered(element), initial)) {
      report(`${pointer}/initial_options/${index}`, 'initial option must equal one of the options');
    }
  });
};

/** A menu begins with as many choices as it takes. */
const initialsFit =
  (name: string): Rule =>
  (element, pointer, report) => {
    const { max_selected_items: max } = element;
    if (typeof max === 'number' && listIn(element, name).length > max) {
      report(`${pointer}/${name}`, `no more than ${max} items allowed`);
    }
  };

function fromList(optional: Record<string, Check>, rules: readonly Rule[] = []): Shape {
  return {
    optional: {
      options: list(option, 1, maxOf('select.options')),
      option_groups: list(optionGroup, 1, maxOf('select.option_groups')),
      ...optional,
    },
    rules: [exactlyOneOf('options', 'option_groups'), initialIsOffered, ...rules],
  };
}

function ticked(optional: Record<string, Check>): Shape {
  return {
    required: { options: list(richOption, 1, maxOf('checkboxes.options')) },
    optional: { ...selectable, ...optional },
    rules: [initialIsOffered],
  };
}

const ids = list(text(), 1);
const conversations = { default_to_current_conversation: flag, filter: conversationFilter };

/** Menus that choose one thing. */
export const selectShapes: Record<string, Shape> = {
  static_select: fromList({ ...placeable, initial_option: option }),
  external_select: { optional: { ...placeable, initial_option: option, min_query_length: integer(0) } },
  users_select: { optional: { ...placeable, initial_user: text() } },
  conversations_select: {
    optional: { ...placeable, ...conversations, initial_conversation: text(), response_url_enabled: flag },
  },
  channels_select: { optional: { ...placeable, initial_channel: text(), response_url_enabled: flag } },
};

/** Menus that choose several things. */
export const multiSelectShapes: Record<string, Shape> = {
  multi_static_select: fromList({ ...several, initial_options: list(option, 1, maxOf('select.initial')) }, [
    initialsFit('initial_options'),
  ]),
  multi_external_select: {
    optional: {
      ...several,
      initial_options: list(option, 1, maxOf('select.initial')),
      min_query_length: integer(0),
    },
    rules: [initialsFit('initial_options')],
  },
  multi_users_select: { optional: { ...several, initial_users: ids }, rules: [initialsFit('initial_users')] },
  multi_conversations_select: {
    optional: { ...several, ...conversations, initial_conversations: ids },
    rules: [initialsFit('initial_conversations')],
  },
  multi_channels_select: {
    optional: { ...several, initial_channels: ids },
    rules: [initialsFit('initial_channels')],
  },
};

/** Checkboxes and radio buttons. */
export const tickShapes: Record<string, Shape> = {
  checkboxes: ticked({ initial_options: list(richOption, 1, maxOf('checkboxes.options')) }),
  radio_buttons: ticked({ initial_option: richOption }),
};
