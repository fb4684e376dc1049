import { actionOf, elementOf, heldBy, stateIn, usableAround } from './elements.js';

/** Where the answers of uses are told: a line that goes by itself. */
function tell(message) {
  const toast = document.getElementById('toast');
  toast.textContent = message ?? '';
  toast.hidden = message === undefined;
}

/** Sends what a person does; answers what came of it. */
export async function send(path, body) {
  const response = await fetch(`interactions/${path}`, { method: 'POST', body: JSON.stringify(body) });
  const outcome = await response.json();
  tell(outcome.ok === false ? outcome.message : outcome.error);
  return outcome;
}

/** Inputs of an input block only gather values, unless they ask for more. */
function isQuiet(node) {
  const isInput = node.closest('[data-block="input"]') !== null;
  return isInput;
}

function isConfirmed({ confirm }) {
  if (confirm === undefined) return true;
  return window.confirm([confirm.title?.text, confirm.text?.text].filter(Boolean).join('\n\n'));
}

/**
 * Lets the elements inside a node be used.
 *
 * @param {HTMLElement} root
 * @param {(node: HTMLElement) => object | undefined} placeOf what is used besides the element: a message or a view
 */
export function letUse(root, placeOf) {
  const use = (event) => {
    const node = usableAround(event.target);
    if (node === undefined || isQuiet(node)) return;
    const isButton = heldBy(node) === undefined;
    if (isButton !== (event.type === 'click')) return;
    if (isButton && event.target.closest('button, a, li') === null) return;
    if (node.tagName === 'A' && !node.dataset.actionId) return;
    const place = placeOf(node);
    if (place === undefined || !isConfirmed(elementOf(node))) return;
    const around = node.closest('[data-place]') ?? root;
    send('action', { ...place, action: actionOf(node, event.target), state: stateIn(around) });
  };
  root.addEventListener('click', use);
  root.addEventListener('change', use);
}
