import { isDeepStrictEqual } from 'node:util';
import type { BenchRow } from '../row.ts';
import { dataOf } from './message.ts';
import { parse, run } from './ours.ts';
import { type Effort, timeTogether } from './timing.ts';

const count = 10;

const line = (name: string, price: string) => ({
  type: 'section',
  text: { type: 'mrkdwn', text: `*{{${name}}}* for {{${price}}}` },
});
const footer = (team: string) => ({
  type: 'context',
  elements: [{ type: 'mrkdwn', text: `Sent by ${team}` }],
});
const given = (names: object, ...children: unknown[]) => ({
  type: 'directive',
  directive: '#with',
  with: names,
  children,
});
const each = (...children: unknown[]) => ({
  type: 'directive',
  directive: '#each',
  path: 'items',
  as: 'item',
  children,
});

/** One partial in a list and one at the end, as a version holds them. */
const withPartials = [
  each(given({ what: 'item.name', cost: 'item.price' }, line('what', 'cost'))),
  given({ team: 'customer.name' }, footer('{{team}}')),
];
const expanded = [each(line('item.name', 'item.price')), footer('{{customer.name}}')];

/** Time of a version that uses partials, and of the same blocks written out by hand. */
export const partialsRow = (effort: Effort): BenchRow => {
  const [ours, theirs] = [parse(withPartials), parse(expanded)];
  const data = dataOf(count);
  if (!isDeepStrictEqual(textsOf(run(ours, data)), textsOf(run(theirs, data)))) {
    throw new Error('partials make another message than their blocks');
  }
  const [one, other] = timeTogether([() => run(ours, data), () => run(theirs, data)], effort);
  if (one === undefined || other === undefined) throw new Error('two calls give two timings');
  return {
    what: `engine, hot, a partial for each of ${count} items`,
    peer: 'the same blocks without partials',
    ours: `${one.median.toFixed(1)} µs`,
    theirs: `${other.median.toFixed(1)} µs`,
    ratio: one.median / other.median,
    budget: '≤ 1.2',
    aim: '≤ 1.0',
    p50: `${one.p50.toFixed(1)} µs`,
    p99: `${one.p99.toFixed(1)} µs`,
  };
};

/** A message without the ids that its blocks were given. */
const textsOf = (blocks: unknown): unknown =>
  JSON.parse(JSON.stringify(blocks, (key, value: unknown) => (key === 'block_id' ? undefined : value)));
