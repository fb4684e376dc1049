import type { ViewContext } from '../../context.ts';
import type { Blocks, Input } from '../../types/blocks.ts';
import { el } from '../dom.ts';
import { drawElement } from '../elements.ts';
import { drawText } from '../text.ts';
import { drawTextIn } from './texts.ts';

function drawElements(className: string) {
  return ({ elements }: Blocks['actions'], context: ViewContext): HTMLElement =>
    el(
      'div',
      { class: className },
      elements.map((element) => drawElement(element, context)),
    );
}

export const drawActions = drawElements('actions-block');

export const drawContextActions = drawElements('actions-block context-actions');

export function drawInput({ label, element, hint, optional }: Input, context: ViewContext): HTMLElement {
  const drawn = drawElement(element, context);
  // A field is asked for by its question, and not by its placeholder.
  const field = drawn.matches('.field-input') ? drawn : drawn.querySelector('.field-input');
  field?.setAttribute('aria-label', label.text);
  return el(
    'div',
    { class: 'input-block', role: 'group', 'aria-label': label.text },
    el(
      'div',
      { class: 'input-label' },
      drawText(label, context),
      optional === true ? el('span', { class: 'faint' }, ' (optional)') : undefined,
    ),
    drawn,
    drawTextIn('faint', hint, context),
  );
}
