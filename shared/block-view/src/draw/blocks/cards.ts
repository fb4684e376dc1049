import type { ViewContext } from '../../context.ts';
import type { Blocks, Card } from '../../types/blocks.ts';
import { el } from '../dom.ts';
import { drawActions } from './interactive.ts';
import { drawPicture } from './media.ts';
import { drawTextIn } from './texts.ts';

export function drawCard(card: Card, context: ViewContext): HTMLElement {
  const { hero_image, icon, title, subtitle, body, subtext, actions = [] } = card;
  return el(
    'article',
    { class: 'card' },
    hero_image === undefined ? undefined : drawPicture(hero_image, 'card-hero'),
    el(
      'div',
      { class: 'card-body' },
      el(
        'div',
        { class: 'card-heading' },
        icon === undefined ? undefined : drawPicture(icon, 'card-icon'),
        el('div', {}, drawTextIn('card-title', title, context), drawTextIn('faint', subtitle, context)),
      ),
      drawTextIn('text', body, context),
      drawTextIn('faint', subtext, context),
      actions.length === 0 ? undefined : drawActions({ elements: actions }, context),
    ),
  );
}

export function drawCarousel({ elements }: Blocks['carousel'], context: ViewContext): HTMLElement {
  return el(
    'div',
    { class: 'carousel', tabindex: 0, role: 'group', 'aria-label': 'Cards' },
    elements.map((card) => drawCard(card, context)),
  );
}
