import { type Choices, choicesOf, nameOf, type ViewContext } from '../context.ts';
import type { Menu, Option, Ticks } from '../types/elements.ts';
import { type Child, el } from './dom.ts';
import { drawText, plainOf } from './text.ts';

type TypedMenu = Menu & { readonly type: string };

/** The options that are chosen at first. */
function initialOf({ initial_option, initial_options = [] }: Menu | Ticks): readonly Option[] {
  return initial_option === undefined ? initial_options : [initial_option];
}

function drawOption({ text, value, description }: Option, chosen: readonly Option[]): HTMLElement {
  const selected = chosen.some((option) => option.value === value && plainOf(option.text) === plainOf(text));
  const words = [plainOf(text), plainOf(description)].filter((part) => part !== '');
  return el('option', { value, selected }, words.join(' · '));
}

function drawMenu(element: TypedMenu, label: string, ...options: Child[]): HTMLElement {
  const isMany = element.type.startsWith('multi_');
  return el(
    'select',
    { class: 'select', 'aria-label': label, multiple: isMany },
    isMany ? undefined : el('option', { value: '' }, label),
    ...options,
  );
}

/** Draws a menu of its own options. */
export function drawSelect(element: TypedMenu): HTMLElement {
  const { options = [], option_groups = [] } = element;
  const chosen = initialOf(element);
  const drawAll = (list: readonly Option[]) => list.map((option) => drawOption(option, chosen));
  const groups = option_groups.map((group) =>
    el('optgroup', { label: plainOf(group.label) }, drawAll(group.options)),
  );
  return drawMenu(element, plainOf(element.placeholder) || 'Select', drawAll(options), groups);
}

/** The ids that are chosen at first. */
function initialIds(element: Menu): readonly string[] {
  return [
    element.initial_user ?? element.initial_channel ?? element.initial_conversation ?? [],
    element.initial_users ?? element.initial_channels ?? element.initial_conversations ?? [],
  ].flat();
}

/**
 * Makes the drawing of a menu whose choices the platform knows: people, channels, or an outside source.
 *
 * @param what is chosen, in words
 * @param source of the choices that are offered; an outside source offers the initial choices only
 */
export function drawLookup(what: string, source?: keyof Choices) {
  return (element: TypedMenu, context: ViewContext): HTMLElement => {
    const ids = initialIds(element);
    const offered = source === undefined ? [] : choicesOf(context)[source];
    const others = offered.filter((id) => !ids.includes(id));
    const initial = initialOf(element);
    return drawMenu(
      element,
      plainOf(element.placeholder) || `Select ${what}`,
      initial.map((option) => drawOption(option, initial)),
      ids.map((id) => el('option', { value: id, selected: true }, nameOf(context, id))),
      others.map((id) => el('option', { value: id }, nameOf(context, id))),
    );
  };
}

/** Makes the drawing of checkboxes or radio buttons. */
export function drawTicks(type: 'checkbox' | 'radio') {
  return (element: Ticks, context: ViewContext): HTMLElement => {
    const chosen = initialOf(element);
    const name = `${element.action_id ?? 'ticks'}-${groupNumber()}`;
    const rows = element.options.map(({ text, value, description }) =>
      el(
        'label',
        { class: 'tick' },
        el('input', { type, name, checked: chosen.some((option) => option.value === value) }),
        el(
          'span',
          {},
          drawText(text, context),
          description === undefined
            ? undefined
            : el('span', { class: 'faint tick-description' }, drawText(description, context)),
        ),
      ),
    );
    return el('div', { class: 'ticks' }, rows);
  };
}

let groups = 0;

/** Numbers the groups of a page, so that radio buttons of two messages stay apart. */
function groupNumber(): number {
  groups += 1;
  return groups;
}
