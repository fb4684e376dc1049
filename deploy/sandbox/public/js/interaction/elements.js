/** What each drawn element is, by its node. */
const drawn = new WeakMap();

/** Marks a node as an element that can be used. */
export function usable(node, element) {
  drawn.set(node, element);
  if (element.action_id !== undefined) node.dataset.actionId = element.action_id;
  node.classList.add('usable');
  return node;
}

/** The usable node around a node, if there is one. */
export function usableAround(node) {
  for (let at = node; at instanceof Element; at = at.parentElement) if (drawn.has(at)) return at;
  return undefined;
}

/** The element that a usable node was drawn from. */
export function elementOf(node) {
  return drawn.get(node);
}

function optionsOf({ options = [], option_groups = [] }) {
  return [...options, ...option_groups.flatMap((group) => group.options)];
}

/** The options that are chosen in a menu, in its own words. */
function chosenIn(select, element) {
  const all = [...optionsOf(element), element.initial_option].filter((option) => option !== undefined);
  return [...select.selectedOptions]
    .filter((option) => option.value !== '')
    .map(({ value }) => all.find((option) => option.value === value))
    .filter((option) => option !== undefined);
}

const idsIn = (select) =>
  [...select.selectedOptions].map(({ value }) => value).filter((value) => value !== '');

const ticksIn = (node, { options }) =>
  options.filter((_, index) => node.querySelectorAll('input')[index]?.checked === true);

const seconds = (local) => (local === '' ? null : Math.floor(new Date(local).getTime() / 1_000));

const richText = (text) => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: text === '' ? [] : [{ type: 'text', text }] }],
});

const field = (name) => (node) => ({ [name]: node.value === '' ? null : node.value });
const one = (name) => (node) => ({ [name]: idsIn(node)[0] ?? null });
const many = (name) => (node) => ({ [name]: idsIn(node) });
const option = (node, element) => ({ selected_option: chosenIn(node, element)[0] ?? null });
const options = (node, element) => ({ selected_options: chosenIn(node, element) });

/** How what was chosen or entered is read from each type of element. */
const readers = {
  static_select: option,
  external_select: option,
  multi_static_select: options,
  multi_external_select: options,
  users_select: one('selected_user'),
  multi_users_select: many('selected_users'),
  conversations_select: one('selected_conversation'),
  multi_conversations_select: many('selected_conversations'),
  channels_select: one('selected_channel'),
  multi_channels_select: many('selected_channels'),
  checkboxes: (node, element) => ({ selected_options: ticksIn(node, element) }),
  radio_buttons: (node, element) => ({ selected_option: ticksIn(node, element)[0] ?? null }),
  datepicker: field('selected_date'),
  timepicker: field('selected_time'),
  datetimepicker: (node) => ({ selected_date_time: seconds(node.value) }),
  plain_text_input: field('value'),
  email_text_input: field('value'),
  url_text_input: field('value'),
  number_input: field('value'),
  rich_text_input: (node) => ({ rich_text_value: richText(node.innerText.trim()) }),
  file_input: () => ({ files: [] }),
};

/** What a button says that was pressed, where the element has several. */
function pressed(node, element, target) {
  if (element.type === 'overflow') {
    const items = [...node.querySelectorAll('li')];
    const chosen = element.options[items.findIndex((item) => item.contains(target))];
    return { selected_option: chosen ?? null };
  }
  if (element.type === 'feedback_buttons') {
    const isGood = node.querySelector('button') === target.closest('button');
    const button = isGood ? element.positive_button : element.negative_button;
    return { value: button.value, text: button.text };
  }
  return { value: element.value, text: element.text };
}

/** What an element holds, as the platform tells of it; undefined for one that holds nothing. */
export function heldBy(node) {
  const element = elementOf(node);
  const read = readers[element.type];
  return read === undefined ? undefined : { type: element.type, ...read(node, element) };
}

/** The use of an element, as the platform tells of it. */
export function actionOf(node, target) {
  const element = elementOf(node);
  const held = heldBy(node) ?? { type: element.type, ...pressed(node, element, target) };
  return {
    ...held,
    action_id: element.action_id ?? `${element.type}-action`,
    block_id: blockIdOf(node),
  };
}

function blockIdOf(node) {
  return node.closest('[data-block-id]')?.dataset.blockId ?? 'b0';
}

/** The values of all inputs inside a node, by block and action. */
export function stateIn(root) {
  const state = {};
  for (const node of root.querySelectorAll('.usable')) {
    const value = heldBy(node);
    const { action_id: actionId } = elementOf(node);
    if (value === undefined || actionId === undefined) continue;
    const block = blockIdOf(node);
    state[block] = { ...state[block], [actionId]: value };
  }
  return state;
}
