import { exact } from '../grammar/exact.ts';
import { pressedAddress } from '../grammar/forms.ts';
import { repeatedId } from '../grammar/id.ts';
import { list } from '../grammar/list.ts';
import { object, optional, required, type Shape } from '../grammar/object.ts';
import { choice, flag, word } from '../grammar/scalar.ts';
import { text } from '../grammar/text.ts';
import { typed } from '../grammar/typed.ts';
import { type BlockKind, ofMessages } from './block-kind.ts';
import { richText } from './rich-text.ts';
import { clean, type Summary, stringIn } from './summary.ts';
import { noteThirdParty } from './third-party.ts';

const sources = list('task_card.sources', {
  item: typed(
    () => ({
      url: {
        shape: {
          fields: {
            url: required(exact('task_card.url', { form: pressedAddress })),
            text: required(text('task_card.title', 'plain')),
          },
        },
      },
    }),
    { what: 'source' },
  ),
});

const icon = object('icon', { fields: { type: optional(choice('icon')), name: required(word) } });

/** The keys of a task. */
export const taskShape: Shape = {
  fields: {
    task_id: required(repeatedId('task_card.task_id')),
    title: required(text('task_card.title', 'plain')),
    status: optional(choice('pending', 'in_progress', 'complete', 'error')),
    details: optional(richText),
    output: optional(richText),
    sources: optional(sources),
    icon: optional(icon),
    hide_title: optional(flag),
  },
};

/** Warns of keys that the platform’s documentation does not have yet. */
export const noteTask = noteThirdParty('task_card', ['icon', 'hide_title']);

/** The text of a task: its title and progress. */
export const summarizeTask: Summary = (block) => {
  const status = stringIn(block, 'status').replace('_', ' ');
  return clean(`${stringIn(block, 'title')}${status === '' ? '' : ` (${status})`}`);
};

/** One task with its progress. */
export const taskCard: BlockKind = {
  type: 'task_card',
  surfaces: ofMessages,
  note: noteTask,
  shape: taskShape,
  summary: summarizeTask,
};
