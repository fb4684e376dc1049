import { counted } from '../grammar/counted.ts';
import { id } from '../grammar/id.ts';
import { list } from '../grammar/list.ts';
import { object, optional, required, type Shape } from '../grammar/object.ts';
import { choice } from '../grammar/scalar.ts';
import { text } from '../grammar/text.ts';
import { isObject } from '../json.ts';
import type { Grammar } from '../parse/grammar.ts';
import { type BlockKind, ofMessages } from './block-kind.ts';
import { clean, joinSaid, listIn, stringIn } from './summary.ts';
import { noteTask, summarizeTask, taskShape } from './task-card.ts';

const blockId = optional(id('block.block_id'));

const task = object('task', {
  fields: { type: optional(choice('task_card')), block_id: blockId, ...taskShape.fields },
});
const noted: Grammar = {
  ...task,
  parse: (value, context) => {
    if (isObject(value)) noteTask(value, context);
    return task.parse(value, context);
  },
};

/** A plan holds nothing else, so their type may be left out. */
const planShape: Shape = {
  fields: {
    title: required(text('plan.title', 'plain')),
    tasks: optional(
      list('plan.tasks', {
        item: noted,
      }),
    ),
  },
};

/** Tasks under a title. */
export const plan: BlockKind = {
  type: 'plan',
  ...counted('message.plans', { surfaces: ofMessages, shape: planShape }),
  summary: (block) =>
    joinSaid(
      [
        clean(stringIn(block, 'title')),
        ...listIn(block, 'tasks').map((task) => (isObject(task) ? `• ${summarizeTask(task)}` : '')),
      ],
      '\n',
    ),
};
