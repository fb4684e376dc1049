import { el, link } from '../dom.js';
import { renderRichText } from './rich-text.js';

const STATUS = {
  pending: ['○', 'Pending'],
  in_progress: ['◔', 'In progress'],
  complete: ['✓', 'Complete'],
  error: ['!', 'Failed'],
};

export function renderTask({ title, status = 'pending', details, output, sources = [] }) {
  const [icon, word] = STATUS[status];
  return el(
    'div',
    { class: `task task-${status}` },
    el('span', { class: 'task-mark', role: 'img', 'aria-label': word, title: word }, icon),
    el(
      'div',
      {},
      el('div', { class: 'task-title' }, title),
      details === undefined ? undefined : renderRichText(details),
      output === undefined ? undefined : el('div', { class: 'task-output' }, renderRichText(output)),
      sources.length === 0
        ? undefined
        : el(
            'div',
            { class: 'sources' },
            sources.map(({ url, text }) => link(url, { class: 'source' }, text)),
          ),
    ),
  );
}

export function renderPlan({ title, tasks = [] }) {
  return el('div', { class: 'plan' }, el('div', { class: 'card-title' }, title), tasks.map(renderTask));
}
