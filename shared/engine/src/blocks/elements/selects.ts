import { id } from '../../grammar/id.ts';
import { list } from '../../grammar/list.ts';
import { type Field, guarding, optional, required, type Shape } from '../../grammar/object.ts';
import { exactlyOneOf, initialIsOffered, initialsFit } from '../../grammar/rules.ts';
import { flag, integer, word } from '../../grammar/scalar.ts';
import type { Kinds } from '../../grammar/typed.ts';
import { confirm, conversationFilter, option, optionGroup, plainText, richOption } from '../composition.ts';
import { noteSurface } from '../third-party.ts';

type Fields = Record<string, Field>;

const common: Fields = {
  action_id: optional(id('element.action_id')),
  placeholder: optional(plainText('select.placeholder')),
  confirm,
  focus_on_load: optional(flag),
};

const several: Fields = { ...common, max_selected_items: optional(integer('select.max_selected_items')) };

const offered: Fields = {
  options: optional(list('select.options', { item: option, bindable: true })),
  option_groups: optional(list('select.option_groups', { item: optionGroup })),
};

const staticShape = (fields: Fields, initial: 'initial_option' | 'initial_options'): Shape => ({
  fields: { ...fields, ...offered },
  rules: [
    exactlyOneOf('options', 'option_groups'),
    initialIsOffered(initial),
    ...(initial === 'initial_options' ? [initialsFit(initial)] : []),
  ],
});

/** A menu of several choices that the platform looks up. */
const severalOf = (initial: string, values: Field, fields: Fields = {}): { shape: Shape } => ({
  shape: { fields: { ...several, ...fields, [initial]: values }, rules: [initialsFit(initial)] },
});

const oneOption = optional(option);
const someOptions = optional(list('select.initial', { item: option }));
const words = optional(list('select.initial', { item: word }));

const conversations: Fields = {
  default_to_current_conversation: optional(flag),
  filter: guarding(conversationFilter),
};
const answerable: Fields = { response_url_enabled: optional(flag) };
const noteAnswerable = noteSurface('view', '`response_url_enabled`', 'response_url_enabled');
const queried: Fields = { min_query_length: optional(integer()) };

/** Menus that choose one thing, and menus that choose several. */
export const selects: Kinds = {
  static_select: { shape: staticShape({ ...common, initial_option: oneOption }, 'initial_option') },
  multi_static_select: {
    shape: staticShape({ ...several, initial_options: someOptions }, 'initial_options'),
  },
  external_select: { shape: { fields: { ...common, ...queried, initial_option: oneOption } } },
  multi_external_select: severalOf('initial_options', someOptions, queried),
  users_select: { shape: { fields: { ...common, initial_user: optional(word) } } },
  multi_users_select: severalOf('initial_users', words),
  conversations_select: {
    note: noteAnswerable,
    shape: { fields: { ...common, ...conversations, ...answerable, initial_conversation: optional(word) } },
  },
  multi_conversations_select: severalOf('initial_conversations', words, conversations),
  channels_select: {
    note: noteAnswerable,
    shape: { fields: { ...common, ...answerable, initial_channel: optional(word) } },
  },
  multi_channels_select: severalOf('initial_channels', words),
};

const ticked = (limit: 'checkboxes.options' | 'radio_buttons.options', initial: Fields): Fields => ({
  action_id: optional(id('element.action_id')),
  options: required(list(limit, { item: richOption, bindable: true })),
  confirm,
  focus_on_load: optional(flag),
  ...initial,
});

/** Checkboxes and radio buttons. */
export const ticks: Kinds = {
  checkboxes: {
    shape: {
      fields: ticked('checkboxes.options', {
        initial_options: optional(list('checkboxes.options', { item: richOption })),
      }),
      rules: [initialIsOffered('initial_options')],
    },
  },
  radio_buttons: {
    shape: {
      fields: ticked('radio_buttons.options', { initial_option: optional(richOption) }),
      rules: [initialIsOffered('initial_option')],
    },
  },
};
