import { isDeepStrictEqual } from 'node:util';
import type { BenchMode, BenchRow } from '../row.ts';
import { growthRow } from './growth.ts';
import { dataOf, type Engine, expectedOf } from './message.ts';
import { ours } from './ours.ts';
import { partialsRow } from './partials.ts';
import { peers } from './peers.ts';
import { type Effort, efforts, type Timing, timeTogether } from './timing.ts';

const assertEqual = (engine: Engine, count: number): void => {
  const data = dataOf(count);
  for (const made of [engine.hot(data), engine.cold(data)]) {
    if (!isDeepStrictEqual(JSON.parse(JSON.stringify(made)), expectedOf(data))) {
      throw new Error(`${engine.name} makes something else of ${count} items: ${JSON.stringify(made)}`);
    }
  }
};

const show = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} µs`;

/** Time and what is allocated. */
const cost = ({ median, allocated }: Timing): string =>
  `${show(median)}, ${(allocated / 1_024).toFixed(1)} KiB allocated`;

/** One comparison of the budgets. */
interface Comparison {
  readonly peer: Engine;
  readonly temper: 'hot' | 'cold';
  readonly count: number;
  readonly budget: string;
  readonly aim: string;
}

const { handlebars, eta, adaptive, floor } = peers;
const hot = { temper: 'hot' } as const;
const cold = { temper: 'cold', count: 10, budget: '≤ 0.15', aim: '≤ 0.05' } as const;

const comparisons: readonly Comparison[] = [
  ...[1, 10, 40].flatMap((count): Comparison[] => [
    { ...hot, peer: handlebars, count, budget: '≤ 0.30', aim: '≤ 0.15' },
    { ...hot, peer: eta, count, budget: '≤ 0.6', aim: '≤ 0.3' },
    { ...hot, peer: adaptive, count, budget: '≤ 0.12', aim: '≤ 0.05' },
    { ...hot, peer: floor, count, budget: '–', aim: '–' },
  ]),
  { ...cold, peer: handlebars },
  { ...cold, peer: floor, budget: '–', aim: '–' },
];

const compare = (comparison: Comparison, effort: Effort): BenchRow => {
  const { peer, temper, count, budget, aim } = comparison;
  const data = dataOf(count);
  const timings = timeTogether([() => ours[temper](data), () => peer[temper](data)], effort);
  const [own, other]: (Timing | undefined)[] = timings;
  if (own === undefined || other === undefined) throw new Error('two calls give two timings');
  return {
    what: `engine, ${temper}, ${count} ${count === 1 ? 'item' : 'items'}`,
    peer: peer.name,
    ours: cost(own),
    theirs: cost(other),
    ratio: own.median / other.median,
    budget,
    aim,
    p50: show(own.p50),
    p99: show(own.p99),
  };
};

/** Measures the engine next to its peers, after all of them made the same blocks of the same data. */
export async function engineBench(mode: BenchMode = 'full'): Promise<BenchRow[]> {
  for (const engine of [ours, ...Object.values(peers)]) {
    for (const count of [1, 10, 40]) assertEqual(engine, count);
  }
  const effort = efforts[mode];
  return [
    ...comparisons.map((comparison) => compare(comparison, effort)),
    growthRow(effort),
    partialsRow(effort),
  ];
}

if (import.meta.main) console.table(await engineBench(process.argv.includes('--check') ? 'check' : 'full'));
