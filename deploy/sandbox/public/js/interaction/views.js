import { renderBlocks } from '../blocks/index.js';
import { el } from '../dom.js';
import { nameOf } from '../names.js';
import { stateIn } from './elements.js';
import { letUse, send } from './use.js';

function showErrors(form, errors) {
  for (const old of form.querySelectorAll('.input-error')) old.remove();
  for (const [block, message] of Object.entries(errors)) {
    const at = form.querySelector(`[data-block-id="${CSS.escape(block)}"]`) ?? form;
    at.append(el('p', { class: 'input-error', role: 'alert' }, message));
  }
}

/** The inputs that must be filled in and are not, by block, with what to say about it. */
function missingIn({ blocks }, state) {
  const missing = {};
  for (const [index, block] of blocks.entries()) {
    if (block.type !== 'input' || block.optional === true) continue;
    const id = block.block_id ?? `b${index}`;
    const { type: _, ...value } = state[id]?.[block.element.action_id] ?? {};
    const held = Object.values(value)[0];
    const isEmpty = held === undefined || held === null || (Array.isArray(held) && held.length === 0);
    if (isEmpty && block.element.type !== 'file_input') missing[id] = 'Please complete this required field.';
  }
  return missing;
}

function renderView(view) {
  const title = view.title?.text ?? 'Modal';
  const content = el('div', { class: 'modal-content', 'data-place': 'view' }, renderBlocks(view.blocks));
  const close = el(
    'button',
    { class: 'button button-default', type: 'button' },
    view.close?.text ?? 'Cancel',
  );
  const submit =
    view.submit === undefined
      ? undefined
      : el('button', { class: 'button button-primary', type: 'button' }, view.submit.text);
  const dialog = el(
    'section',
    { class: 'modal', role: 'dialog', 'aria-modal': 'true', 'aria-label': title, 'data-view': view.id },
    el(
      'header',
      { class: 'modal-header' },
      el('h2', {}, title),
      el('span', { class: 'faint' }, nameOf(view.user)),
    ),
    content,
    el('footer', { class: 'modal-footer' }, close, submit),
  );
  close.addEventListener('click', () => send('close', { view_id: view.id }));
  submit?.addEventListener('click', async () => {
    const state = stateIn(content);
    const missing = missingIn(view, state);
    showErrors(content, missing);
    if (Object.keys(missing).length > 0) return;
    submit.disabled = true;
    const { errors = {} } = await send('submit', { view_id: view.id, state });
    submit.disabled = false;
    showErrors(content, errors);
  });
  letUse(content, () => ({ view_id: view.id }));
  return el('div', { class: 'modal-backdrop', 'data-hash': view.hash, 'data-id': view.id }, dialog);
}

/** Draws the modals that are open. One that has not changed is left alone, since somebody may be filling it in. */
export function renderViews(root, views) {
  const shown = new Map([...root.children].map((node) => [`${node.dataset.id} ${node.dataset.hash}`, node]));
  const nodes = views.map((view) => shown.get(`${view.id} ${view.hash}`) ?? renderView(view));
  root.replaceChildren(...nodes);
}
