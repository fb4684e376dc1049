import { el } from '../dom.js';
import { renderText } from '../text/inline.js';
import { renderElement } from './elements.js';

export function renderActions({ elements }) {
  return el('div', { class: 'actions-block' }, elements.map(renderElement));
}

export function renderContextActions({ elements }) {
  return el('div', { class: 'actions-block context-actions' }, elements.map(renderElement));
}

export function renderInput({ label, element, hint, optional }) {
  return el(
    'div',
    { class: 'input-block' },
    el(
      'div',
      { class: 'input-label' },
      renderText(label),
      optional === true ? el('span', { class: 'faint' }, ' (optional)') : undefined,
    ),
    renderElement(element),
    hint === undefined ? undefined : el('div', { class: 'faint' }, renderText(hint)),
  );
}
