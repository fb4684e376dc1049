import type { ViewContext } from '../../context.ts';
import type { Blocks, Task } from '../../types/blocks.ts';
import { el, link } from '../dom.ts';
import { drawRichText } from './rich-text.ts';

const STATUS = {
  pending: ['○', 'Pending'],
  in_progress: ['◔', 'In progress'],
  complete: ['✓', 'Complete'],
  error: ['!', 'Failed'],
} as const;

export function drawTask(task: Task, context: ViewContext): HTMLElement {
  const { title, status = 'pending', details, output, sources = [], hide_title } = task;
  const [icon, word] = STATUS[status];
  const links = sources.map(({ url, text }) => link(url, { class: 'source' }, text));
  return el(
    'div',
    { class: `task task-${status}` },
    el('span', { class: 'task-mark', role: 'img', 'aria-label': word, title: word }, icon),
    el(
      'div',
      {},
      hide_title === true ? undefined : el('div', { class: 'task-title' }, title),
      details === undefined ? undefined : drawRichText(details, context),
      output === undefined ? undefined : el('div', { class: 'task-output' }, drawRichText(output, context)),
      links.length === 0 ? undefined : el('div', { class: 'sources' }, links),
    ),
  );
}

export function drawPlan({ title, tasks = [] }: Blocks['plan'], context: ViewContext): HTMLElement {
  return el(
    'div',
    { class: 'plan' },
    el('div', { class: 'card-title' }, title),
    tasks.map((task) => drawTask(task, context)),
  );
}
