import { drawModal, el } from '../../block-view/dist/index.js';
import { knownNames, nameOf } from '../names.js';
import { send } from './send.js';

function renderView(view) {
  const drawn = drawModal(view, {
    ...knownNames(),
    note: el('span', { class: 'faint' }, nameOf(view.user)),
    onAction: (use) => send('action', { view_id: view.id, ...use }),
    onClose: () => send('close', { view_id: view.id }),
    async onSubmit(state) {
      const { errors = {} } = await send('submit', { view_id: view.id, state });
      return errors;
    },
  });
  const dialog = drawn.querySelector('[role="dialog"]');
  dialog.setAttribute('aria-modal', 'true');
  dialog.dataset.view = view.id;
  return el('div', { class: 'modal-backdrop', 'data-hash': view.hash, 'data-id': view.id }, drawn);
}

/** Draws the modals that are open. One that has not changed is left alone, since somebody may be filling it in. */
export function renderViews(root, views) {
  const shown = new Map([...root.children].map((node) => [`${node.dataset.id} ${node.dataset.hash}`, node]));
  const nodes = views.map((view) => shown.get(`${view.id} ${view.hash}`) ?? renderView(view));
  root.replaceChildren(...nodes);
}
