import { el } from '../dom.js';
import { renderText } from '../text/inline.js';
import { renderElement } from './elements.js';
import { pictureOf } from './media.js';

function optionalText(text, attributes) {
  return text === undefined ? undefined : el('div', attributes, renderText(text));
}

export function renderCard({ hero_image, icon, title, subtitle, body, subtext, actions = [] }) {
  return el(
    'article',
    { class: 'card' },
    hero_image === undefined ? undefined : pictureOf(hero_image, 'card-hero'),
    el(
      'div',
      { class: 'card-body' },
      el(
        'div',
        { class: 'card-heading' },
        icon === undefined ? undefined : pictureOf(icon, 'card-icon'),
        el(
          'div',
          {},
          optionalText(title, { class: 'card-title' }),
          optionalText(subtitle, { class: 'faint' }),
        ),
      ),
      optionalText(body, { class: 'text' }),
      optionalText(subtext, { class: 'faint' }),
      actions.length === 0 ? undefined : el('div', { class: 'actions-block' }, actions.map(renderElement)),
    ),
  );
}

export function renderCarousel({ elements }) {
  return el(
    'div',
    { class: 'carousel', tabindex: 0, role: 'group', 'aria-label': 'Cards' },
    elements.map(renderCard),
  );
}
