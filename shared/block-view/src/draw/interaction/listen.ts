import type { ViewContext } from '../../context.ts';
import type { BlockElement } from '../../types/elements.ts';
import { actionOf, heldBy, stateIn, type Usable, usableAround } from './values.ts';

/** Whether an event of a kind is the use of the element: a click of a button, a change of what holds a value. */
function isUse(used: Usable, event: Event, target: Element): boolean {
  const isButton = heldBy(used) === undefined;
  if (isButton !== (event.type === 'click')) return false;
  // Inside an input block, values only gather until the view is submitted.
  if (used.node.closest('[data-block="input"]') !== null) return false;
  if (isButton && target.closest('button, a, li') === null) return false;
  return used.node.tagName !== 'A' || used.node.dataset.actionId !== undefined;
}

function isConfirmed({ confirm }: BlockElement, context: ViewContext): boolean {
  if (confirm === undefined) return true;
  const question = [confirm.title?.text, confirm.text?.text].filter(Boolean).join('\n\n');
  return context.confirm?.(question) ?? window.confirm(question);
}

/** Reports the uses of the elements inside a node to the context's `onAction`. */
export function listen<N extends HTMLElement>(root: N, context: ViewContext): N {
  const { onAction } = context;
  if (onAction === undefined) return root;
  const hear = (event: Event) => {
    const { target } = event;
    const used = usableAround(target);
    if (used === undefined || !(target instanceof Element)) return;
    if (!isUse(used, event, target) || !isConfirmed(used.element, context)) return;
    onAction({ action: actionOf(used, target), state: stateIn(root) });
  };
  root.addEventListener('click', hear);
  root.addEventListener('change', hear);
  return root;
}
