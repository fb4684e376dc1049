import type { BenchRow } from '../row.ts';
import { dataOf } from './message.ts';
import { parse, run } from './ours.ts';
import { type Effort, timeTogether } from './timing.ts';

/** A list in one block, since a message holds no thousand blocks. */
const template = [
  {
    type: 'rich_text',
    elements: [
      {
        type: 'rich_text_list',
        style: 'bullet',
        elements: [
          {
            type: 'directive',
            directive: '#each',
            path: 'items',
            as: 'item',
            children: [
              {
                type: 'rich_text_section',
                elements: [{ type: 'text', text: '{{item.quantity}} × {{item.name}} for {{item.price}}' }],
              },
            ],
          },
        ],
      },
    ],
  },
];

const few = 10;
const many = 1_000;

/** Time of a hundredfold output, next to a hundred times that of the small one. */
export const growthRow = (effort: Effort): BenchRow => {
  const program = parse(template);
  const [small, large] = [dataOf(few), dataOf(many)];
  const timings = timeTogether([() => run(program, small), () => run(program, large)], effort);
  const [one, other] = timings;
  if (one === undefined || other === undefined) throw new Error('two calls give two timings');
  const linear = one.median * (many / few);
  return {
    what: `engine growth, ${few} → ${many} items of output`,
    peer: 'itself, linear',
    ours: `${other.median.toFixed(0)} µs`,
    theirs: `${linear.toFixed(0)} µs`,
    ratio: other.median / linear,
    budget: '≤ 1.2',
    aim: '≤ 1.0',
    p50: `${other.p50.toFixed(0)} µs`,
    p99: `${other.p99.toFixed(0)} µs`,
  };
};
