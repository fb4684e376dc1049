import type { Field } from '../types/elements.ts';
import { el } from './dom.ts';
import { plainOf } from './text.ts';

/** Makes the drawing of a field of one line; `initial` names what it holds at first. */
export function drawField(type: string, initial: 'initial_value' | 'initial_date' | 'initial_time') {
  return (element: Field): HTMLElement =>
    el('input', {
      class: 'field-input',
      type,
      value: element[initial],
      placeholder: plainOf(element.placeholder) || undefined,
      'aria-label': plainOf(element.placeholder) || type,
      min: element.min_value,
      max: element.max_value,
    });
}

const drawLine = drawField('text', 'initial_value');

/** Draws a field of one line or of several. */
export function drawTextInput(element: Field): HTMLElement {
  if (element.multiline !== true) return drawLine(element);
  const placeholder = plainOf(element.placeholder) || undefined;
  return el(
    'textarea',
    { class: 'field-input', rows: 3, placeholder, 'aria-label': placeholder ?? 'text' },
    String(element.initial_value ?? ''),
  );
}
