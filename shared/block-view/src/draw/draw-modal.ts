import type { ElementValue, ViewContext, ViewState } from '../context.ts';
import type { AnyBlock } from '../types/blocks.ts';
import type { Modal } from '../types/surfaces.ts';
import { type Child, el } from './dom.ts';
import { drawEach } from './draw-blocks.ts';
import { listen } from './interaction/listen.ts';
import { stateIn } from './interaction/values.ts';

/** The context of a modal, which also reports what happens to it as a whole. */
export interface ModalContext extends ViewContext {
  /** Receives the values when the modal is submitted with all required inputs; returns errors by block id. */
  readonly onSubmit?: (state: ViewState) => Promise<Readonly<Record<string, string>>>;
  /** Called when the modal is closed without being submitted. */
  readonly onClose?: () => void;
  /** Stands in the header, behind the title. */
  readonly note?: Child;
}

function showErrors(form: HTMLElement, errors: Readonly<Record<string, string>>): void {
  for (const old of form.querySelectorAll('.input-error')) old.remove();
  for (const [block, message] of Object.entries(errors)) {
    const at = form.querySelector(`[data-block-id="${CSS.escape(block)}"]`) ?? form;
    at.append(el('p', { class: 'input-error', role: 'alert' }, message));
  }
}

function isEmpty(value: ElementValue | undefined): boolean {
  if (value === undefined) return true;
  if (value.type === 'file_input') return false;
  const { type: _, ...fields } = value;
  const [held] = Object.values(fields);
  return held === undefined || held === null || (Array.isArray(held) && held.length === 0);
}

const isRequired = (block: AnyBlock): boolean =>
  block.type === 'input' && !('optional' in block && block.optional === true);

/** The required inputs that are empty, by block, with what to say about each. */
function missingIn(blocks: readonly AnyBlock[], state: ViewState): Record<string, string> {
  const ids = blocks.flatMap((block, index) => (isRequired(block) ? [block.block_id ?? `b${index}`] : []));
  const empty = ids.filter((id) => Object.values(state[id] ?? { none: undefined }).every(isEmpty));
  return Object.fromEntries(empty.map((id) => [id, 'Please complete this required field.']));
}

function drawButton(style: string, words: string): HTMLButtonElement {
  return el('button', { class: `button button-${style}`, type: 'button' }, words);
}

function drawSubmit(view: Modal, content: HTMLElement, { onSubmit }: ModalContext): Child {
  if (view.submit === undefined) return undefined;
  const submit = drawButton('primary', view.submit.text);
  submit.addEventListener('click', async () => {
    const state = stateIn(content);
    const missing = missingIn(view.blocks, state);
    showErrors(content, missing);
    if (onSubmit === undefined || Object.keys(missing).length > 0) return;
    submit.disabled = true;
    try {
      showErrors(content, await onSubmit(state));
    } finally {
      submit.disabled = false;
    }
  });
  return submit;
}

/**
 * Draws a modal view as a dialog: its title, its blocks, and buttons to close and to submit it. Required inputs that are
 * empty are marked, and the modal is then not submitted.
 */
export function drawModal(view: Modal, context: ModalContext = {}): HTMLElement {
  const title = view.title?.text ?? 'Modal';
  const content = listen(el('div', { class: 'modal-content' }, drawEach(view.blocks, context)), context);
  const close = drawButton('default', view.close?.text ?? 'Cancel');
  close.addEventListener('click', () => context.onClose?.());
  const dialog = el(
    'section',
    { class: 'modal', role: 'dialog', 'aria-label': title },
    el('header', { class: 'modal-header' }, el('h2', {}, title), context.note),
    content,
    el('footer', { class: 'modal-footer' }, close, drawSubmit(view, content, context)),
  );
  return el('div', { class: 'block-view' }, dialog);
}
