import type { Action, ElementValue, ViewState } from '../../context.ts';
import type { BlockElement, Menu, Option } from '../../types/elements.ts';

/** Each drawn element by its node. */
const drawn = new WeakMap<Element, BlockElement>();

/** Marks a node as an element that can be used. */
export function usable(node: HTMLElement, element: BlockElement): HTMLElement {
  drawn.set(node, element);
  if (element.action_id !== undefined) node.dataset.actionId = element.action_id;
  node.classList.add('usable');
  return node;
}

/** A node that can be used, and the element that it was drawn from. */
export interface Usable {
  readonly node: HTMLElement;
  readonly element: BlockElement;
}

/** The usable node around a node, if there is one. */
export function usableAround(target: EventTarget | null): Usable | undefined {
  for (let at = target; at instanceof HTMLElement; at = at.parentElement) {
    const element = drawn.get(at);
    if (element !== undefined) return { node: at, element };
  }
  return undefined;
}

/** The ids or values that are chosen in a menu. */
function chosenIn(node: HTMLElement): string[] {
  if (!(node instanceof HTMLSelectElement)) return [];
  return [...node.selectedOptions].map(({ value }) => value).filter((value) => value !== '');
}

/** The options that are chosen in a menu, in its own words. */
function optionsIn(node: HTMLElement, menu: Menu): Option[] {
  const { options = [], option_groups = [], initial_option, initial_options = [] } = menu;
  const all = [
    ...options,
    ...option_groups.flatMap((group) => group.options),
    ...(initial_option === undefined ? initial_options : [initial_option]),
  ];
  return chosenIn(node)
    .map((value) => all.find((option) => option.value === value))
    .filter((option) => option !== undefined);
}

function ticksIn(node: HTMLElement, options: readonly Option[]): Option[] {
  const inputs = [...node.querySelectorAll('input')];
  return options.filter((_, index) => inputs[index]?.checked === true);
}

function richText(text: string) {
  const elements = text === '' ? [] : [{ type: 'text', text }];
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] };
}

/** The text of a field; null where it is empty. */
function typedIn(node: HTMLElement): string | null {
  const isField = node instanceof HTMLInputElement || node instanceof HTMLTextAreaElement;
  return isField && node.value !== '' ? node.value : null;
}

function secondsIn(node: HTMLElement): number | null {
  const local = typedIn(node);
  return local === null ? null : Math.floor(new Date(local).getTime() / 1_000);
}

/** The value of an element, without its type; undefined for an element without a value. */
function fieldsOf({ node, element }: Usable): Readonly<Record<string, unknown>> | undefined {
  const first = () => chosenIn(node)[0] ?? null;
  switch (element.type) {
    case 'static_select':
    case 'external_select':
      return { selected_option: optionsIn(node, element)[0] ?? null };
    case 'multi_static_select':
    case 'multi_external_select':
      return { selected_options: optionsIn(node, element) };
    case 'users_select':
      return { selected_user: first() };
    case 'multi_users_select':
      return { selected_users: chosenIn(node) };
    case 'conversations_select':
      return { selected_conversation: first() };
    case 'multi_conversations_select':
      return { selected_conversations: chosenIn(node) };
    case 'channels_select':
      return { selected_channel: first() };
    case 'multi_channels_select':
      return { selected_channels: chosenIn(node) };
    case 'checkboxes':
      return { selected_options: ticksIn(node, element.options) };
    case 'radio_buttons':
      return { selected_option: ticksIn(node, element.options)[0] ?? null };
    case 'datepicker':
      return { selected_date: typedIn(node) };
    case 'timepicker':
      return { selected_time: typedIn(node) };
    case 'datetimepicker':
      return { selected_date_time: secondsIn(node) };
    case 'plain_text_input':
    case 'email_text_input':
    case 'url_text_input':
    case 'number_input':
      return { value: typedIn(node) };
    case 'rich_text_input':
      return { rich_text_value: richText(node.innerText.trim()) };
    case 'file_input':
      return { files: [] };
    default:
      return undefined;
  }
}

/** The value of an element, as the platform reports it; undefined for one without a value, such as a button. */
export function heldBy(used: Usable): ElementValue | undefined {
  const fields = fieldsOf(used);
  return fields === undefined ? undefined : { type: used.element.type, ...fields };
}

/** The fields that the platform reports of a pressed button, or of the chosen one of several. */
function pressed({ node, element }: Usable, target: Element): Readonly<Record<string, unknown>> {
  switch (element.type) {
    case 'overflow': {
      const index = [...node.querySelectorAll('li')].findIndex((item) => item.contains(target));
      return { selected_option: element.options[index] ?? null };
    }
    case 'feedback_buttons': {
      const isGood = node.querySelector('button') === target.closest('button');
      const { value, text } = isGood ? element.positive_button : element.negative_button;
      return { value, text };
    }
    case 'button':
    case 'workflow_button':
    case 'icon_button':
      return { value: element.value, text: element.text };
    default:
      return {};
  }
}

/** The use of an element, as the platform reports it. */
export function actionOf(used: Usable, target: Element): Action {
  const { node, element } = used;
  return {
    ...(heldBy(used) ?? { type: element.type, ...pressed(used, target) }),
    action_id: element.action_id ?? `${element.type}-action`,
    block_id: blockIdOf(node),
  };
}

function blockIdOf(node: HTMLElement): string {
  return node.closest<HTMLElement>('[data-block-id]')?.dataset.blockId ?? 'b0';
}

/** The values of all elements inside a node. */
export function stateIn(root: Element): ViewState {
  const state: Record<string, Record<string, ElementValue>> = {};
  for (const node of root.querySelectorAll<HTMLElement>('.usable')) {
    const element = drawn.get(node);
    const value = element === undefined ? undefined : heldBy({ node, element });
    if (value === undefined || element?.action_id === undefined) continue;
    const block = blockIdOf(node);
    state[block] = { ...state[block], [element.action_id]: value };
  }
  return state;
}
