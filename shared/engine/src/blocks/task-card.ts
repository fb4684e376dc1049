import { exact } from '../grammar/exact.ts';
import { list } from '../grammar/list.ts';
import { optional, required, type Shape } from '../grammar/object.ts';
import { choice } from '../grammar/scalar.ts';
import { text } from '../grammar/text.ts';
import { typed } from '../grammar/typed.ts';
import { type BlockKind, ofMessages } from './block-kind.ts';
import { richText } from './rich-text.ts';
import { clean, type Summary, stringIn } from './summary.ts';

const sources = list('task_card.sources', {
  item: typed(
    () => ({
      url: {
        shape: {
          fields: { url: required(exact('task_card.url')), text: required(text('task_card.title', 'plain')) },
        },
      },
    }),
    { what: 'source' },
  ),
});

/** The keys of a task. */
export const taskShape: Shape = {
  fields: {
    task_id: required(exact('task_card.task_id')),
    title: required(text('task_card.title', 'plain')),
    status: optional(choice('pending', 'in_progress', 'complete', 'error')),
    details: optional(richText),
    output: optional(richText),
    sources: optional(sources),
  },
};

/** The text of a task: its title and progress. */
export const summarizeTask: Summary = (block) => {
  const status = stringIn(block, 'status').replace('_', ' ');
  return clean(`${stringIn(block, 'title')}${status === '' ? '' : ` (${status})`}`);
};

/** One task with its progress. */
export const taskCard: BlockKind = {
  type: 'task_card',
  surfaces: ofMessages,
  shape: taskShape,
  summary: summarizeTask,
};
